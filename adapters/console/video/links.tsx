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

/** What is known of who one speaker is. */
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
  seconds_visible: 's to be seen',
  time_offset: 's offset',
};
const reasons: Readonly<Record<string, string>> = {
  off_screen: 'probably not to be seen',
  ambiguous: 'several faces are as likely',
  too_little_speech: 'speaks too little',
  not_matched: 'not matched',
};

const rivalOf = ({ evidence }: SuggestedMapping): { readonly face_id: number; readonly accuracy: number } | null => {
  const rival = evidence['runner_up'];
  if (typeof rival !== 'object' || rival === null || !('face_id' in rival) || !('accuracy' in rival)) return null;
  const { face_id, accuracy } = rival;
  return typeof face_id === 'number' && typeof accuracy === 'number' ? { face_id, accuracy } : null;
};

const Evidence = ({
  mapping,
  nameOf,
}: {
  readonly mapping: SuggestedMapping;
  readonly nameOf: (id: number) => string;
}) => {
  const rival = rivalOf(mapping);
  const facts = Object.entries(mapping.evidence).flatMap(([field, value]) => {
    const label = labels[field];
    return typeof value === 'number' && label !== undefined && value !== 0 ? [`${measure(value)} ${label}`] : [];
  });
  return (
    <>
      <p class="quiet">
        {mapping.accuracy !== null && <strong>{percent(mapping.accuracy)} </strong>}
        {mapping.channel === 'name' ? 'by name' : 'by presence'}
        {facts.length > 0 && `: ${facts.join(', ')}`}
      </p>
      {rival !== null && (
        <p class="quiet">
          Next likeliest: {nameOf(rival.face_id)}, {percent(rival.accuracy)}
        </p>
      )}
    </>
  );
};

/** The cards of the speakers: who each of them is, was suggested to be, or may be. */
export const Links = ({
  client,
  records: { video, audio, write },
  onLook,
}: {
  readonly client: MediaAnalysis;
  readonly records: Records;
  /** Asked to show a speaker on the timeline. */
  readonly onLook: (speaker_id: number) => void;
}) => {
  const [failed, setFailed] = useState<unknown>(null);
  if (video === null || audio === null) return <p class="quiet">This video has no audio yet.</p>;
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
                <Badge>
                  {unmatched === null ? 'nothing suggested' : (reasons[unmatched.reason] ?? unmatched.reason)}
                </Badge>
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
                  label={`${name} is not to be seen`}
                  run={() => write(`${name} is not to be seen`, decide(speaker_id, null, 'confirmed'))}
                >
                  Not to be seen
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
