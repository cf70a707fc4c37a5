import type { SuggestedMapping } from '../../client/index.js';
import { measure, percent, time } from '../format.js';

const inSeconds: Readonly<Record<string, string>> = {
  seconds_together: 'seen while talking',
  seconds_apart: 'seen while silent',
  seconds_speaking: 'of speech',
  seconds_visible: 'visible',
};

const runnerUpOf = ({ evidence }: SuggestedMapping): { readonly face_id: number; readonly accuracy: number } | null => {
  const runnerUp = evidence['runner_up'];
  if (typeof runnerUp !== 'object' || runnerUp === null || !('face_id' in runnerUp) || !('accuracy' in runnerUp))
    return null;
  const { face_id, accuracy } = runnerUp;
  return typeof face_id === 'number' && typeof accuracy === 'number' ? { face_id, accuracy } : null;
};

/** Sound and picture that are shifted against each other. */
const shiftIn = ({ evidence: { time_offset } }: SuggestedMapping): ReadonlyArray<string> =>
  typeof time_offset !== 'number' || time_offset === 0
    ? []
    : [`sound and picture ${measure(Math.abs(time_offset))} s apart`];

/** How sure a suggestion is, why, and the second choice. */
export const LinkEvidence = ({
  mapping,
  nameOf,
}: {
  readonly mapping: SuggestedMapping;
  readonly nameOf: (id: number) => string;
}) => {
  const runnerUp = runnerUpOf(mapping);
  const facts = Object.entries(mapping.evidence).flatMap(([field, value]) => {
    const label = inSeconds[field];
    return typeof value === 'number' && label !== undefined && value !== 0 ? [`${measure(value)} s ${label}`] : [];
  });
  return (
    <>
      <p class="quiet">
        {mapping.accuracy !== null && <strong>{percent(mapping.accuracy)} sure. </strong>}
        {mapping.channel === 'name' ? 'The names agree' : 'Seen and heard together'}
        {facts.length > 0 && `: ${[...facts, ...shiftIn(mapping)].join(', ')}`}
      </p>
      {runnerUp !== null && (
        <p class="quiet">
          Second choice: {nameOf(runnerUp.face_id)}, {percent(runnerUp.accuracy)}
        </p>
      )}
    </>
  );
};

/** When a face is seen, as buttons that play it; without them if there is nothing to play. */
export const SeenAt = ({
  name,
  sightings,
  onPlay,
}: {
  readonly name: string;
  readonly sightings: ReadonlyArray<{ readonly start: number }> | null;
  readonly onPlay: ((seconds: number) => void) | null;
}) => (
  <p class="quiet">
    {name}
    {sightings !== null && (sightings.length === 0 ? ' is never seen' : ' is seen at')}
    {sightings?.map(({ start }) => (
      <span key={start}>
        {' '}
        {onPlay === null ? (
          time(start)
        ) : (
          <button
            type="button"
            class="link"
            aria-label={`Play ${name} at ${time(start)}`}
            onClick={() => onPlay(start)}
          >
            {time(start)}
          </button>
        )}
      </span>
    ))}
  </p>
);
