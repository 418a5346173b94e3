import type { Risk } from './risk.js';

/** Nothing, everything, or a list of canonical paths and of keys such as `todos`. */
export type Touched = 'nothing' | 'everything' | readonly string[];

/** What a call touches. Two calls may run at the same time only if neither writes what the other reads or writes. */
export interface Footprint {
  readonly reads: Touched;
  readonly writes: Touched;
}

/**
 * An object that a call acts on, in the form that permission rules match: `Read(path)`, `Edit(path)`, `Bash(command)`,
 * `WebFetch(domain:…)`, `Agent(type)`.
 */
export type Target =
  /**
   * `path` is canonical; `given` is the absolute path as the model wrote it, if that differs; `root` is where relative
   * patterns start; `isInside` says whether the path is inside the workspace. Set only `kind` and `path`: the pipeline
   * resolves the path and sets the other fields.
   */
  | {
      readonly kind: 'read' | 'edit';
      readonly path: string;
      readonly given?: string;
      readonly root?: string;
      readonly isInside?: boolean;
    }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'agent'; readonly type: string }
  /**
   * A text that the rules for the tool itself match. In a call of the tool `nodes`, the text `phone:camera` matches the
   * rules `nodes(phone:camera)` and `nodes(phone:*)`, in which `*` stands for any characters.
   */
  | { readonly kind: 'own'; readonly name: string };

/**
 * A tool's own objection to an input. `deny` refuses the call before a person is asked; `ask` asks a person even where
 * an allow rule matches.
 */
export interface Verdict {
  readonly behavior: 'ask' | 'deny';
  readonly reason?: string | undefined;
}

/** The facts about a call before it runs. Rules, modes, guards and people decide by these facts. */
export interface Assessment {
  /** One line for people, such as `Edit src/a.ts`. Default: the tool's name. */
  readonly title?: string | undefined;
  /**
   * Multi-line text for the person who approves, such as a diff. Default: the input as JSON. A function is called only
   * when a person is asked.
   */
  readonly preview?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** The targets that permission rules with a pattern match. Default: see `targets` of `ToolDefinition`. */
  readonly targets?: readonly Target[] | undefined;
  /** Default: by side effect, see `footprint` of `ToolDefinition`. */
  readonly footprint?: Footprint | undefined;
  /** Default: by side effect, see `risk` of `ToolDefinition`. */
  readonly risk?: Risk | undefined;
  /** Objection to this input. Default none. */
  readonly verdict?: Verdict | undefined;
  /** Sentences that the question shows with its warnings to the person who approves. Default none. */
  readonly notes?: readonly string[] | undefined;
}

/** An assessment in which defaults fill the parts that the tool leaves out. */
export interface CallAssessment extends Assessment {
  readonly title: string;
  readonly footprint: Footprint;
  readonly risk: Risk;
}
