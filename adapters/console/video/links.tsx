import { useState } from 'preact/hooks';
import type {
  AudioRecord,
  LinkDecision,
  MatchCandidate,
  SuggestedMapping,
  UnmatchedSpeaker,
  VideoRecord,
} from '../../client/index.js';
import { Choose, OtherFace } from '../fields.js';
import { date, number, percent } from '../format.js';
import { useClient } from '../session.js';
import { Action, Badge, Button, Failure, useRun } from '../ui.js';
import { inWords } from '../words.js';
import { speakerName } from './lanes.js';
import { LinkEvidence, RenameSpeaker, SeenAt } from './people.js';
import { type Recording, useRecording } from './use-records.js';

/** A speaker with its face, what was decided, and which faces it may have. */
interface Link {
  readonly speaker_id: number;
  readonly name: string;
  readonly face: VideoRecord['faces'][number] | null;
  /** A person said that the face is the speaker's. */
  readonly confirmed: LinkDecision | null;
  /** A person said that the speaker is off screen. */
  readonly unseen: LinkDecision | null;
  /** The faces that a person excluded. */
  readonly rejected: ReadonlyArray<LinkDecision>;
  /** The suggested face, unless it was excluded since. */
  readonly suggested: SuggestedMapping | null;
  /** Other faces that are possible, likeliest first. */
  readonly candidates: ReadonlyArray<Pick<MatchCandidate, 'face_id' | 'accuracy'>>;
  readonly unmatched: UnmatchedSpeaker | null;
}

const linksOf = (
  { faces, speaker_face_match }: VideoRecord,
  { speakers }: AudioRecord,
  { decisions, questions }: Pick<Recording, 'decisions' | 'questions'>,
): ReadonlyArray<Link> => {
  const { mappings = [], unmatched_speakers = [] } = speaker_face_match.suggestions ?? {};
  return speakers
    .filter(({ synthetic }) => !synthetic)
    .map(({ speaker_id, name }): Link => {
      const isOwn = (one: { readonly speaker_id: number | null }): boolean => one.speaker_id === speaker_id;
      const own = decisions.filter(isOwn);
      const rejected = own.filter(({ verdict }) => verdict === 'rejected');
      const isExcluded = (id: number): boolean => rejected.some(({ face_id }) => face_id === id);
      const offered = questions.find((one) => one.kind === 'link' && isOwn(one))?.candidates;
      const unmatched = unmatched_speakers.find(isOwn) ?? null;
      const mapping = mappings.find(isOwn);
      const isOffered = ({ face_id }: SuggestedMapping): boolean =>
        offered === undefined ? !isExcluded(face_id) : offered.some((one) => one.face_id === face_id);
      return {
        speaker_id,
        name: speakerName(speaker_id, name),
        face: faces.find(isOwn) ?? null,
        confirmed: own.find(({ verdict, face_id }) => verdict === 'confirmed' && face_id !== null) ?? null,
        unseen: own.find(({ face_id }) => face_id === null) ?? null,
        rejected,
        suggested: mapping !== undefined && isOffered(mapping) ? mapping : null,
        candidates: (offered ?? unmatched?.candidates ?? []).filter(({ face_id }) => !isExcluded(face_id)),
        unmatched,
      };
    });
};

/** Whether nothing was decided about a speaker yet. */
const isOpen = ({ face, unseen }: Link): boolean => face === null && unseen === null;

/** How sure the best suggestion of a speaker is, 0 to 1. */
const sureness = ({ suggested, candidates }: Link): number => suggested?.accuracy ?? candidates[0]?.accuracy ?? 0;

const orders = [
  ['number', 'as numbered'],
  ['uncertain', 'least certain first'],
  ['certain', 'most certain first'],
] as const;
const filters = [
  ['all', 'all'],
  ['open', 'open'],
  ['decided', 'decided'],
] as const;

type Order = (typeof orders)[number][0];
type Filter = (typeof filters)[number][0];

/** The links to show. Open ones come before decided ones, unless they are in the order of their numbers. */
const arranged = (links: ReadonlyArray<Link>, filter: Filter, order: Order): ReadonlyArray<Link> => {
  const shown = links.filter((link) => filter === 'all' || isOpen(link) === (filter === 'open'));
  if (order === 'number') return shown;
  const sign = order === 'uncertain' ? 1 : -1;
  return shown.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || sign * (sureness(a) - sureness(b)));
};

const sureEnough = 0.99;

/** The open links whose suggestion is so certain that they can be accepted at once. */
const certainOf = (links: ReadonlyArray<Link>): ReadonlyArray<SuggestedMapping> =>
  links.flatMap((link) => (isOpen(link) && (link.suggested?.accuracy ?? 0) > sureEnough ? (link.suggested ?? []) : []));

interface CardProps {
  readonly video: VideoRecord;
  readonly link: Link;
}

/** A decision that stands: what, by whom, when; with a button to take it back. */
const Decided = ({
  what,
  decision: { by, at, position },
  video: { video_id },
}: Pick<CardProps, 'video'> & { readonly what: string; readonly decision: LinkDecision }) => {
  const client = useClient();
  const { write } = useRecording();
  return (
    <div class="actions">
      <span class="quiet">
        {what}, decided by {by}, {date(at)}
      </span>
      <Action
        text="Take back"
        kind="small"
        label={`Take back: ${what}`}
        run={() => write(`take back: ${what}`, (options) => client.videos.revert(video_id, position, {}, options))}
      />
    </div>
  );
};

const State = ({ face, unseen, suggested, candidates, rejected, unmatched }: Link) => {
  const { nameOf } = useRecording();
  if (face !== null) return <Badge tone="good">is {nameOf(face.id)}</Badge>;
  if (unseen !== null) return <Badge tone="good">off screen</Badge>;
  if (suggested !== null) return <Badge tone="wait">may be {nameOf(suggested.face_id)}</Badge>;
  if (candidates.length > 0 && unmatched === null) return <Badge>not decided</Badge>;
  if (rejected.length > 0) return <Badge>no other suggestion: choose a face</Badge>;
  return <Badge>{unmatched === null ? 'no suggestion yet' : inWords(unmatched.reason)}</Badge>;
};

const Buttons = ({ link, video: { video_id, faces } }: CardProps) => {
  const client = useClient();
  const { nameOf, write } = useRecording();
  const { speaker_id, name, face, suggested, candidates } = link;
  const { error, run } = useRun();
  const decide = (what: string, face_id: number | null, verdict: 'confirmed' | 'rejected') => (): Promise<void> =>
    write(`${name} ${what}`, (options) =>
      client.decisions.create(video_id, { decisions: [{ speaker_id, face_id, verdict }] }, options),
    );
  const accept = (face_id: number) => decide(`is ${nameOf(face_id)}`, face_id, 'confirmed');
  return (
    <div class="actions">
      {isOpen(link) && suggested !== null && (
        <>
          <Action
            text="Accept"
            kind="primary"
            label={`Accept ${nameOf(suggested.face_id)} for ${name}`}
            run={accept(suggested.face_id)}
          />
          <Action
            text="Reject"
            label={`Reject ${nameOf(suggested.face_id)} for ${name}`}
            run={decide(`is not ${nameOf(suggested.face_id)}`, suggested.face_id, 'rejected')}
          />
        </>
      )}
      {isOpen(link) &&
        suggested === null &&
        candidates
          .slice(0, 3)
          .map(({ face_id, accuracy }) => (
            <Action
              key={face_id}
              text={`${nameOf(face_id)} ${percent(accuracy)}`}
              kind="small"
              label={`${nameOf(face_id)} ${percent(accuracy)} for ${name}`}
              run={accept(face_id)}
            />
          ))}
      {isOpen(link) && (
        <Action text="Off screen" label={`${name} is off screen`} run={decide('is off screen', null, 'confirmed')} />
      )}
      {face !== null && (
        <Action
          text="Unmatch"
          label={`Unmatch ${name}`}
          run={() => write(`${name} has no face`, (options) => client.matches.delete(video_id, face.id, options))}
        />
      )}
      <label>
        <span class="hidden">Another face for {name}</span>
        <OtherFace faces={faces} hint="Another face …" nameOf={nameOf} onChoose={(face_id) => run(accept(face_id))} />
      </label>
      <Failure error={error} />
    </div>
  );
};

/** A speaker: the face, what was decided and by whom, or what is suggested; and buttons to decide. */
const LinkCard = ({ audio_id, ...props }: CardProps & { readonly audio_id: string }) => {
  const { nameOf, sightings, play, playSpeaker } = useRecording();
  const { link, video } = props;
  const { speaker_id, name, face, confirmed, unseen, rejected, suggested } = link;
  const seen = face?.id ?? suggested?.face_id;
  return (
    <li class="card">
      <h3>
        <Button text={name} kind="link" onPress={() => playSpeaker(speaker_id)} />
        <State {...link} />
        <RenameSpeaker audio_id={audio_id} speaker_id={speaker_id} name={name} />
      </h3>
      {face !== null && confirmed !== null && (
        <p class="quiet">
          Decided by {confirmed.by}, {date(confirmed.at)}
        </p>
      )}
      {unseen !== null && <Decided what={`${name} is off screen`} decision={unseen} video={video} />}
      {rejected.map((decision) => (
        <Decided
          key={decision.face_id}
          what={`${name} is not ${nameOf(decision.face_id ?? 0)}`}
          decision={decision}
          video={video}
        />
      ))}
      {suggested !== null && isOpen(link) && (
        <>
          {suggested.accuracy !== null && (
            <meter min={0} max={1} value={suggested.accuracy} aria-label={`accuracy of ${name}`}>
              {percent(suggested.accuracy)}
            </meter>
          )}
          <LinkEvidence mapping={suggested} />
        </>
      )}
      {seen !== undefined && <SeenAt name={nameOf(seen)} sightings={sightings(seen, speaker_id)} onPlay={play} />}
      <Buttons {...props} />
    </li>
  );
};

interface Props {
  readonly video: VideoRecord;
  readonly audio: AudioRecord;
}

/** A card for each speaker, filtered and in order, with a button to accept all certain suggestions. */
export const Links = ({ video, audio }: Props) => {
  const client = useClient();
  const recording = useRecording();
  const [filter, setFilter] = useState<Filter>('all');
  const [order, setOrder] = useState<Order>('number');
  const links = linksOf(video, audio, recording);
  const certain = certainOf(links);
  const shown = arranged(links, filter, order);
  const acceptAll = (): Promise<void> =>
    recording.write(`accept ${certain.length} suggestions`, (options) =>
      client.decisions.create(
        video.video_id,
        { decisions: certain.map(({ face_id, speaker_id }) => ({ face_id, speaker_id, verdict: 'confirmed' })) },
        options,
      ),
    );
  return (
    <>
      <div class="actions choose">
        <Choose label="Show" options={filters} value={filter} onChoose={setFilter} />
        <Choose label="Order" options={orders} value={order} onChoose={setOrder} />
        <span class="quiet">
          {number(shown.length)} of {number(links.length)}
        </span>
        {certain.length > 0 && (
          <Action text={`Accept all above 99 % (${number(certain.length)})`} kind="small" run={acceptAll} />
        )}
      </div>
      <ul class="cards">
        {shown.map((link) => (
          <LinkCard key={link.speaker_id} link={link} video={video} audio_id={audio.audio_id} />
        ))}
      </ul>
    </>
  );
};
