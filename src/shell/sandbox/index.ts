export type * from '../../ports/sandbox.js';
export { type BubblewrapOptions, bubblewrapSandbox } from './bubblewrap.js';
export { type DockerOptions, dockerSandbox } from './docker.js';
