import type { Replacement } from '../splice/splice-text.js';
import { type JsonMember, type JsonNode, memberOf, rawText } from './json-node.js';
import type { Layout } from './layout.js';

/** What becomes of the members of an object, each value in JSON. */
export interface MemberChanges {
  /** New values of members there are. */
  readonly set: ReadonlyMap<string, string>;
  /** Members that go, every one of that name. */
  readonly remove: ReadonlySet<string>;
  /**
   * Members that come, in the order of their names. They join others that are sorted in their place, else they come
   * last.
   */
  readonly add: ReadonlyMap<string, string>;
}

/** How the members of an object are written. */
export interface MemberLayout {
  readonly object: Layout;
  readonly colon: string;
}

/** The replacements that change members of an object and leave all its other bytes. At least one member must stay. */
export function changeMembers(
  bytes: Buffer,
  node: JsonNode,
  { set, remove, add }: MemberChanges,
  { object, colon }: MemberLayout,
): Replacement[] {
  const { members } = node;
  const kept = members.map((member, index) => ({ member, index })).filter(({ member }) => !remove.has(member.name));
  const isSorted = members.every(({ name }, index) => index === 0 || (members[index - 1]?.name ?? '') <= name);
  const comesAfter = (name: string) => kept.findLast(({ member }) => !isSorted || member.name < name)?.member;
  const replacements: Replacement[] = [];
  const replace = (start: number, end: number, text: string) =>
    replacements.push({ start, end, bytes: Buffer.from(text) });
  kept.forEach(({ member, index }, position) => {
    const before = kept[position - 1];
    const hasGap = index !== (before?.index ?? -1) + 1;
    if (hasGap && before === undefined) replace(node.start + 1, member.key.start, object.open);
    if (hasGap && before !== undefined)
      replace(before.member.value.end, member.key.start, gapBefore(bytes, members, index));
    const value = memberOf(node, member.name) === member ? set.get(member.name) : undefined;
    if (value !== undefined) replace(member.value.start, member.value.end, value);
    for (const [name, added] of add) {
      if (comesAfter(name) === member)
        replace(member.value.end, member.value.end, `${object.between}"${name}"${colon}${added}`);
    }
  });
  const last = kept.at(-1);
  if (last !== undefined && last.index < members.length - 1) replace(last.member.value.end, node.end - 1, object.close);
  return replacements;
}

function gapBefore(bytes: Buffer, members: readonly JsonMember[], index: number): string {
  const [before, member] = [members[index - 1], members[index]];
  return before === undefined || member === undefined ? '' : rawText(bytes, before.value.end, member.key.start);
}
