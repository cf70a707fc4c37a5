import type { FaceBox, Interval, TalkingInterval } from './imported.js';

/** One face of a file, before it is numbered. */
export interface FaceParts {
  /** Identifies the face in the file. */
  readonly key: string;
  /** The number of the face in the file, if it has one. */
  readonly id?: number;
  /** A person's real name, if the file has it. */
  readonly name?: string | null;
  readonly visible: ReadonlyArray<Interval>;
  /** Only if the format says when faces talk. */
  readonly talking?: ReadonlyArray<TalkingInterval>;
  /** In any order, and as many as there are. */
  readonly boxes?: ReadonlyArray<FaceBox>;
}
