import type { Question } from '../../client/index.js';
import { Notice } from '../ui.js';
import type { Choice } from './choices.js';

/** An answer that was not stored, for what it answers was decided otherwise meanwhile. */
export interface Conflict {
  readonly asked: Question;
  readonly choice: Choice;
  /** What the reviewer was asked, and what the answer was, in words. */
  readonly about: string;
  readonly standing: ReadonlyArray<string>;
}

/** Answers that others were faster with: the reviewer says which is to stand. */
export const Conflicts = ({
  conflicts,
  onInsist,
  onLeave,
}: {
  readonly conflicts: ReadonlyArray<Conflict>;
  readonly onInsist: (conflict: Conflict) => void;
  readonly onLeave: (conflict: Conflict) => void;
}) => (
  <>
    {conflicts.map((conflict) => (
      <Notice key={conflict} tone="wait">
        <strong>Not stored:</strong> {conflict.about} It was decided otherwise meanwhile. {conflict.standing.join(' ')}
        <div class="actions">
          <button type="button" onClick={() => onInsist(conflict)}>
            <kbd>y</kbd> My answer is to stand
          </button>
          <button type="button" onClick={() => onLeave(conflict)}>
            <kbd>l</kbd> Leave it as it is
          </button>
        </div>
      </Notice>
    ))}
  </>
);
