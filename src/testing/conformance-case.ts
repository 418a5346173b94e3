import type { FileSystem } from '../host/file-system.js';
import { type Trial, trial } from './conformance-trial.js';

/** An empty file system to try, whose root can be written to. */
export interface ConformanceSubject {
  readonly files: FileSystem;
  /** Called when the case is over. */
  dispose?(): Promise<void> | void;
}

/** One thing that every file system must do. `run` rejects with an AssertionError when it does not. */
export interface ConformanceCase {
  readonly name: string;
  run(makeFiles: () => Promise<ConformanceSubject> | ConformanceSubject): Promise<void>;
}

/** Makes a case that tries a fresh file system. */
export function define(name: string, body: (trial: Trial) => Promise<void>): ConformanceCase {
  return {
    name,
    async run(makeFiles) {
      const subject = await makeFiles();
      try {
        await body(trial(subject.files));
      } finally {
        await subject.dispose?.();
      }
    },
  };
}
