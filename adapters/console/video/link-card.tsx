import { useState } from 'preact/hooks';
import type { CallOptions, LinkDecision } from '../../client/index.js';
import { date, percent } from '../format.js';
import { OtherFace } from '../other-face.js';
import { Action, Badge, Failure } from '../ui.js';
import { inWords } from '../words.js';
import { LinkEvidence, SeenAt } from './link-evidence.js';
import { type Link, isOpen } from './link-list.js';
import { type CardContext, RenameSpeaker } from './people.js';

type CardProps = CardContext & { readonly link: Link };

/** A decision that stands: what, by whom, when; with a button to take it back. */
const Decided = ({
  what,
  decision: { by, at, position },
  client,
  video: { video_id },
  write,
}: Pick<CardContext, 'client' | 'video' | 'write'> & { readonly what: string; readonly decision: LinkDecision }) => (
  <div class="actions">
    <span class="quiet">
      {what}, decided by {by}, {date(at)}
    </span>
    <Action
      kind="small"
      label={`Take back: ${what}`}
      run={() => write(`take back: ${what}`, (options) => client.videos.revert(video_id, position, {}, options))}
    >
      Take back
    </Action>
  </div>
);

const State = ({ link, nameOf }: CardProps) => {
  const { face, unseen, suggested, candidates, rejected, unmatched } = link;
  if (face !== null) return <Badge tone="good">is {nameOf(face.id)}</Badge>;
  if (unseen !== null) return <Badge tone="good">off screen</Badge>;
  if (suggested !== null) return <Badge tone="wait">may be {nameOf(suggested.face_id)}</Badge>;
  if (candidates.length > 0 && unmatched === null) return <Badge>not decided</Badge>;
  if (rejected.length > 0) return <Badge>no other suggestion: choose a face</Badge>;
  return <Badge>{unmatched === null ? 'no suggestion yet' : inWords(unmatched.reason)}</Badge>;
};

const Buttons = (props: CardProps) => {
  const { link, client, video, nameOf, write } = props;
  const { speaker_id, name, face, suggested, candidates } = link;
  const [failed, setFailed] = useState<unknown>(null);
  const decide = (face_id: number | null, verdict: 'confirmed' | 'rejected') => (options: CallOptions) =>
    client.decisions.create(video.video_id, { decisions: [{ speaker_id, face_id, verdict }] }, options);
  const accept = (face_id: number) => () => write(`${name} is ${nameOf(face_id)}`, decide(face_id, 'confirmed'));
  const reject = (face_id: number) => () => write(`${name} is not ${nameOf(face_id)}`, decide(face_id, 'rejected'));
  return (
    <div class="actions">
      {isOpen(link) && suggested !== null && (
        <>
          <Action
            kind="primary"
            label={`Accept ${nameOf(suggested.face_id)} for ${name}`}
            run={accept(suggested.face_id)}
          >
            Accept
          </Action>
          <Action label={`Reject ${nameOf(suggested.face_id)} for ${name}`} run={reject(suggested.face_id)}>
            Reject
          </Action>
        </>
      )}
      {isOpen(link) &&
        suggested === null &&
        candidates.slice(0, 3).map(({ face_id, accuracy }) => (
          <Action
            key={face_id}
            kind="small"
            label={`${nameOf(face_id)} ${percent(accuracy)} for ${name}`}
            run={accept(face_id)}
          >
            {nameOf(face_id)} {percent(accuracy)}
          </Action>
        ))}
      {isOpen(link) && (
        <Action label={`${name} is off screen`} run={() => write(`${name} is off screen`, decide(null, 'confirmed'))}>
          Off screen
        </Action>
      )}
      {face !== null && (
        <Action
          label={`Unmatch ${name}`}
          run={() => write(`${name} has no face`, (options) => client.matches.delete(video.video_id, face.id, options))}
        >
          Unmatch
        </Action>
      )}
      <label>
        <span class="hidden">Another face for {name}</span>
        <OtherFace
          faces={video.faces}
          hint="Another face …"
          nameOf={nameOf}
          onChoose={(face_id) => {
            setFailed(null);
            accept(face_id)().catch(setFailed);
          }}
        />
      </label>
      <Failure error={failed} />
    </div>
  );
};

/** A speaker: the face, what was decided and by whom, or what is suggested; and buttons to decide. */
export const LinkCard = (props: CardProps) => {
  const { link, client, audio_id, write, nameOf, sightings, onPlay, onLook } = props;
  const { speaker_id, name, face, confirmed, unseen, rejected, suggested } = link;
  const seen = face?.id ?? suggested?.face_id;
  return (
    <li class="card">
      <h3>
        <button type="button" class="link" onClick={() => onLook(speaker_id)}>
          {name}
        </button>
        <State {...props} />
        <RenameSpeaker client={client} audio_id={audio_id} speaker_id={speaker_id} name={name} write={write} />
      </h3>
      {face !== null && confirmed !== null && (
        <p class="quiet">
          Decided by {confirmed.by}, {date(confirmed.at)}
        </p>
      )}
      {unseen !== null && <Decided what={`${name} is off screen`} decision={unseen} {...props} />}
      {rejected.map((decision) => (
        <Decided
          key={decision.face_id}
          what={`${name} is not ${nameOf(decision.face_id ?? 0)}`}
          decision={decision}
          {...props}
        />
      ))}
      {suggested !== null && isOpen(link) && (
        <>
          {suggested.accuracy !== null && (
            <meter min={0} max={1} value={suggested.accuracy} aria-label={`accuracy of ${name}`}>
              {percent(suggested.accuracy)}
            </meter>
          )}
          <LinkEvidence mapping={suggested} nameOf={nameOf} />
        </>
      )}
      {seen !== undefined && <SeenAt name={nameOf(seen)} sightings={sightings(seen, speaker_id)} onPlay={onPlay} />}
      <Buttons {...props} />
    </li>
  );
};
