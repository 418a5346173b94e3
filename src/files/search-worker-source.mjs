// Starts a search thread from the TypeScript sources, for tests and examples of this repository. The package holds the built thread only.
import { register } from 'tsx/esm/api';

register();
await import('./search-worker.ts');
