import { useState } from 'preact/hooks';
import type {
  AudioRecord,
  CallOptions,
  SuggestedMapping,
  MediaAnalysis,
  UnmatchedSpeaker,
  VideoRecord,
} from '../../client/index.js';
import { measure, percent } from '../format.js';
import { Action, Badge, Failure } from '../ui.js';
import { faceName, speakerName } from './lanes.js';
import { type Records, positionOf } from './use-video.js';

type Verdict = 'confirmed' | 'rejected';

/** A speaker with the matched or suggested face. */
interface Link {
  readonly speaker_id: number;
  readonly name: string;
  readonly face: VideoRecord['faces'][number] | null;
  readonly suggested: SuggestedMapping | null;
  readonly unmatched: UnmatchedSpeaker | null;
}

const linksOf = ({ faces, speaker_face_match }: VideoRecord, { speakers }: AudioRecord): ReadonlyArray<Link> => {
  const { mappings = [], unmatched_speakers = [] } = speaker_face_match.suggestions ?? {};
  return speakers
    .filter(({ synthetic }) => !synthetic)
    .map(({ speaker_id, name }) => ({
      speaker_id,
      name: speakerName(speaker_id, name),
      face: faces.find((face) => face.speaker_id === speaker_id) ?? null,
      suggested: mappings.find((mapping) => mapping.speaker_id === speaker_id) ?? null,
      unmatched: unmatched_speakers.find((one) => one.speaker_id === speaker_id) ?? null,
    }));
};

const labels: Readonly<Record<string, string>> = {
  seconds_together: 's together',
  seconds_apart: 's apart',
  seconds_speaking: 's speaking',
  seconds_visible: 's visible',
  time_offset: 's time offset',
};
const reasons: Readonly<Record<string, string>> = {
  off_screen: 'probably off screen',
  ambiguous: 'several faces are equally likely',
  too_little_speech: 'too little speech',
  not_matched: 'not matched',
};

const runnerUpOf = ({ evidence }: SuggestedMapping): { readonly face_id: number; readonly accuracy: number } | null => {
  const runnerUp = evidence['runner_up'];
  if (typeof runnerUp !== 'object' || runnerUp === null || !('face_id' in runnerUp) || !('accuracy' in runnerUp))
    return null;
  const { face_id, accuracy } = runnerUp;
  return typeof face_id === 'number' && typeof accuracy === 'number' ? { face_id, accuracy } : null;
};

const Evidence = ({
  mapping,
  nameOf,
}: {
  readonly mapping: SuggestedMapping;
  readonly nameOf: (id: number) => string;
}) => {
  const runnerUp = runnerUpOf(mapping);
  const facts = Object.entries(mapping.evidence).flatMap(([field, value]) => {
    const label = labels[field];
    return typeof value === 'number' && label !== undefined && value !== 0 ? [`${measure(value)} ${label}`] : [];
  });
  return (
    <>
      <p class="quiet">
        {mapping.accuracy !== null && <strong>{percent(mapping.accuracy)} </strong>}
        {mapping.channel === 'name' ? 'by name' : 'by co-occurrence'}
        {facts.length > 0 && `: ${facts.join(', ')}`}
      </p>
      {runnerUp !== null && (
        <p class="quiet">
          Second choice: {nameOf(runnerUp.face_id)}, {percent(runnerUp.accuracy)}
        </p>
      )}
    </>
  );
};

/** A card for each speaker: the matched face, or what was suggested and buttons to decide. */
export const Links = ({
  client,
  records: { video, audio, write },
  onLook,
}: {
  readonly client: MediaAnalysis;
  readonly records: Records;
  /** Shows a speaker on the timeline. */
  readonly onLook: (speaker_id: number) => void;
}) => {
  const [failed, setFailed] = useState<unknown>(null);
  if (video === null || audio === null)
    return <p class="quiet">This video has no audio yet, so there are no speakers.</p>;
  const { video_id, faces } = video;
  const nameOf = (id: number): string => faceName(id, faces.find((face) => face.id === id)?.name ?? null);
  const decide = (speaker_id: number, face_id: number | null, verdict: Verdict) => (options: CallOptions) =>
    positionOf(client.decisions.create(video_id, { decisions: [{ speaker_id, face_id, verdict }] }, options));
  return (
    <>
      <Failure error={failed} />
      <ul class="cards">
        {linksOf(video, audio).map(({ speaker_id, name, face, suggested, unmatched }) => (
          <li key={speaker_id} class="card">
            <h3>
              <button type="button" class="link" onClick={() => onLook(speaker_id)}>
                {name}
              </button>
              {face !== null && <Badge tone="good">is {faceName(face.id, face.name)}</Badge>}
              {face === null && suggested !== null && <Badge tone="wait">may be {nameOf(suggested.face_id)}</Badge>}
              {face === null && suggested === null && (
                <Badge>{unmatched === null ? 'no suggestion' : (reasons[unmatched.reason] ?? unmatched.reason)}</Badge>
              )}
            </h3>
            {suggested !== null && suggested.accuracy !== null && (
              <meter min={0} max={1} value={suggested.accuracy} aria-label={`accuracy of ${name}`}>
                {percent(suggested.accuracy)}
              </meter>
            )}
            {suggested !== null && <Evidence mapping={suggested} nameOf={nameOf} />}
            <div class="actions">
              {face === null && suggested !== null && (
                <>
                  <Action
                    kind="primary"
                    label={`Accept ${nameOf(suggested.face_id)} for ${name}`}
                    run={() => write(`accept ${name}`, decide(speaker_id, suggested.face_id, 'confirmed'))}
                  >
                    Accept
                  </Action>
                  <Action
                    label={`Reject ${nameOf(suggested.face_id)} for ${name}`}
                    run={() => write(`reject ${name}`, decide(speaker_id, suggested.face_id, 'rejected'))}
                  >
                    Reject
                  </Action>
                </>
              )}
              {face === null &&
                unmatched?.candidates?.slice(0, 3).map(({ face_id, accuracy }) => (
                  <Action
                    key={face_id}
                    kind="small"
                    label={`${nameOf(face_id)} ${percent(accuracy)} for ${name}`}
                    run={() => write(`accept ${name}`, decide(speaker_id, face_id, 'confirmed'))}
                  >
                    {nameOf(face_id)} {percent(accuracy)}
                  </Action>
                ))}
              {face === null && (
                <Action
                  label={`${name} is off screen`}
                  run={() => write(`${name} is off screen`, decide(speaker_id, null, 'confirmed'))}
                >
                  Off screen
                </Action>
              )}
              {face !== null && (
                <Action
                  label={`Unmatch ${name}`}
                  run={() =>
                    write(`unmatch ${name}`, (options) => positionOf(client.matches.delete(video_id, face.id, options)))
                  }
                >
                  Unmatch
                </Action>
              )}
              <label class="change">
                <span class="hidden">Another face for {name}</span>
                <select
                  value=""
                  onChange={({ currentTarget }) => {
                    const face_id = Number(currentTarget.value);
                    currentTarget.value = '';
                    setFailed(null);
                    write(`match ${name}`, decide(speaker_id, face_id, 'confirmed')).catch(setFailed);
                  }}
                >
                  <option value="" disabled>
                    Another face …
                  </option>
                  {faces.map(({ id, name: own }) => (
                    <option key={id} value={id}>
                      {faceName(id, own)}
                    </option>
                  ))}
                </select>
              </label>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
};
