import { strict as assert } from 'node:assert';
import type { SearchProvider, SearchQuery } from '../ports/search-provider.js';
import { refuses } from './file-system-trial.js';
import { conformanceKit, type Disposable, newScope } from './kit.js';

/** A search provider, and a query that finds pages of at least two hosts. */
export interface SearchProviderSubject extends Disposable {
  readonly search: SearchProvider;
  readonly query: string;
  /** The same provider with an unreachable service. */
  readonly unreachable: SearchProvider;
}

/** The requirements of WebSearch for a search provider. */
export const searchProviderConformance = conformanceKit<SearchProviderSubject>({
  'each result has a title and an address': async (subject, scope) => {
    const results = await subject.search.search({ query: subject.query }, scope);
    assert.ok(results.length > 0, 'the query must find something');
    for (const { title, url } of results) assert.ok(title.trim() !== '' && /^https?:$/.test(new URL(url).protocol));
  },
  'the number of results is limited, by default to ten': async (subject, scope) => {
    const count = async (more: Partial<SearchQuery>) =>
      (await subject.search.search({ query: subject.query, ...more }, scope)).length;
    assert.equal(await count({ maxResults: 1 }), 1);
    assert.ok((await count({})) <= 10);
  },
  'all results are from the allowed domains and their subdomains': async (subject) => {
    const [host = ''] = await hostsOf(subject, {});
    const hosts = await hostsOf(subject, { allowedDomains: [host] });
    assert.ok(hosts.length > 0 && hosts.every((one) => one === host || one.endsWith(`.${host}`)));
  },
  'no result is from a blocked domain or its subdomains': async (subject) => {
    const [host = ''] = await hostsOf(subject, {});
    const hosts = await hostsOf(subject, { blockedDomains: [host] });
    assert.ok(hosts.length > 0 && !hosts.some((one) => one === host || one.endsWith(`.${host}`)));
  },
  'an unreachable service fails with search_unavailable': async ({ unreachable }, scope) => {
    await refuses(unreachable.search({ query: 'x' }, scope), 'search_unavailable');
  },
  'an aborted search rejects': async ({ search, query }) => {
    await assert.rejects(search.search({ query }, newScope('conformance', AbortSignal.abort())));
  },
  'secrets are strings': async ({ search }) => {
    for (const secret of search.secrets?.() ?? []) assert.equal(typeof secret, 'string');
  },
});

async function hostsOf({ search, query }: SearchProviderSubject, more: Partial<SearchQuery>): Promise<string[]> {
  const results = await search.search({ query, ...more }, newScope());
  return results.map(({ url }) => new URL(url).hostname);
}
