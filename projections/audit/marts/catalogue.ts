/** Column types. Times are RFC 3339 strings here and timestamps in the file. */
export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'time';

type Cell = string | number | boolean | null;

interface Column {
  readonly type: ColumnType;
  /** One sentence for analysts. */
  readonly description: string;
}

/** A table for analysts, stored as one Parquet file. Names of marts and columns never change their meaning. */
interface Mart<Name extends string = string> {
  readonly description: string;
  readonly columns: Readonly<Record<Name, Column>>;
}

export type MartRow<Of extends Mart> = Readonly<Record<keyof Of['columns'], Cell>>;

const text = (description: string): Column => ({ type: 'text', description });
const integer = (description: string): Column => ({ type: 'integer', description });
const number = (description: string): Column => ({ type: 'number', description });
const boolean = (description: string): Column => ({ type: 'boolean', description });
const time = (description: string): Column => ({ type: 'time', description });

/** Who changed something and when: the same columns in every mart of changes. */
const change = {
  position: text('Position of the event in the log; positions sort as texts.'),
  recorded_at: time('When the event was recorded.'),
  event_type: text('Type of the event.'),
  cause: text('What happened, in words.'),
  account_id: text('Account whose key sent the request.'),
  key_id: text('Key that sent the request.'),
  request_id: text('Request that caused the change (X-Request-Id).'),
  run_id: text('Match run or name inference that it belongs to, if any.'),
} as const;

const mart = <const Columns extends Mart['columns']>(description: string, columns: Columns) => ({
  description,
  columns,
});

/** Every mart with its columns, in the order of the file. */
export const marts = {
  videos: mart('One row for each video, as it stands.', {
    video_id: text('The video.'),
    owner_id: text('Account that owns it.'),
    title: text('Its title, if any.'),
    status: text('Processing status: queue, processing, completed or failed.'),
    audio_id: text('Its audio, if any.'),
    faces: integer('Number of its faces.'),
    matched_faces: integer('Number of its faces that have a speaker.'),
    tags: integer('Number of its tags.'),
    match_status: text('Stored status of its newest match run: queue, completed, failed, or none.'),
    created_at: time('When it was registered.'),
    updated_at: time('When it last changed.'),
  }),
  faces: mart('One row for each face of a video, as it stands.', {
    video_id: text('The video.'),
    face_id: integer('The face within the video.'),
    name: text('Its name.'),
    speaker_id: integer('The matched speaker of the video’s audio, if any.'),
    accuracy: number('How sure the match is, from 0 to 1; none where a person matched.'),
    has_personality_traits: boolean('Whether it has personality data.'),
  }),
  audios: mart('One row for each audio, as it stands.', {
    audio_id: text('The audio.'),
    owner_id: text('Account that owns it.'),
    title: text('Its title, if any.'),
    kind: text('upload or meeting.'),
    status: text('Processing status: queue, processing, completed or failed.'),
    video_id: text('Its video, if any.'),
    speakers: integer('Number of its speakers.'),
    has_transcript: boolean('Whether it has a transcript.'),
    created_at: time('When it was registered.'),
    updated_at: time('When it last changed.'),
  }),
  speakers: mart('One row for each speaker of an audio, as it stands.', {
    audio_id: text('The audio.'),
    speaker_id: integer('The speaker within the audio.'),
    name: text('Its name, if any.'),
    role: text('agent or customer, if set.'),
    synthetic: boolean('Whether it is a synthetic track.'),
    deal_person_id: text('The person of a deal that it was linked to, if any.'),
  }),
  decisions: mart('One row for each decision of a person about a speaker and a face that stands.', {
    position: text('Position of the event in the log; positions sort as texts.'),
    recorded_at: time('When it was decided.'),
    video_id: text('The video.'),
    speaker_id: integer('The speaker.'),
    face_id: integer('The face; none where the speaker is not to be seen.'),
    verdict: text('confirmed or rejected.'),
    via: text('decision, or put where faces were matched by hand.'),
    account_id: text('Account that decided.'),
  }),
  matches: mart('One row each time a face got, changed or lost its speaker.', {
    ...change,
    video_id: text('The video.'),
    face_id: integer('The face.'),
    speaker_id_before: integer('Its speaker before, if any.'),
    speaker_id_after: integer('Its speaker after, if any.'),
    accuracy_before: number('Accuracy before, from 0 to 1, if any.'),
    accuracy_after: number('Accuracy after, from 0 to 1, if any.'),
  }),
  names: mart('One row each time a face or a speaker got, changed or lost its name.', {
    ...change,
    record: text('face or speaker.'),
    medium_id: text('The video of the face, or the audio of the speaker.'),
    subject_id: integer('The face or the speaker.'),
    name_before: text('Its name before, if any.'),
    name_after: text('Its name after, if any.'),
  }),
  runs: mart('One row for each match run.', {
    run_id: text('The run.'),
    video_id: text('The video.'),
    audio_id: text('The audio.'),
    mode: text('suggest or commit.'),
    outcome: text('completed, failed, superseded (by a newer run) or erased (with its audio); none while it is open.'),
    queued_at: time('When it was triggered.'),
    ended_at: time('When its answer came.'),
    seconds: number('Seconds from trigger to answer.'),
    attribution: text('How the answer was booked: own (with its run id), assumed or unattributed.'),
    late: boolean('Whether the answer came after the stale window.'),
    late_write_suspected: boolean('Whether the answer may be that of another, stale run.'),
    superseded_by: text('The newer run that took over, if any.'),
    changed_faces: integer('Number of faces that it changed and that were not restored.'),
    reverted_at: time('When it was undone, if it was.'),
    late_arrivals: integer('Number of answers that came for it and were ignored.'),
    error: text('What its worker said of a failure.'),
  }),
  late_writes: mart('One row for each answer of a worker that came late, or that may come from another run.', {
    position: text('Position of the event in the log.'),
    recorded_at: time('When it came.'),
    video_id: text('The video.'),
    run_id: text('The run that it was booked on.'),
    status: text('stored, committed, failed or ignored.'),
    reason: text('Why it was ignored, if it was.'),
    attribution: text('How it was booked: own, assumed or unattributed.'),
    late_write_suspected: boolean('Whether it may be that of a stale run.'),
    late: boolean('Whether it came after the stale window.'),
    matches: integer('Number of matches that came with it.'),
    changed_faces: integer('Number of faces that it changed.'),
    reverted_at: time('When that was undone, if it was.'),
    account_id: text('Account whose key sent it.'),
    key_id: text('Key that sent it.'),
    request_id: text('Request that brought it.'),
  }),
  inferences: mart('One row for each name inference.', {
    run_id: text('The inference.'),
    audio_id: text('The audio; none after its erasure.'),
    account_id: text('Account that requested it and is charged.'),
    key_id: text('Key that sent the request.'),
    request_id: text('Request that started it.'),
    mode: text('suggest or commit.'),
    outcome: text('completed, failed or erased (with its audio); none while it is open.'),
    model: text('Model that was asked.'),
    speakers: integer('Number of speakers that were asked about.'),
    infer_roles: boolean('Whether roles were asked for.'),
    names: integer('Number of names that were accepted.'),
    total_tokens: integer('Tokens that the model reported.'),
    amount: number('Credits that were charged; exact as DECIMAL(15, 6); none if nothing was.'),
    recorded_at: time('When it was requested.'),
    ended_at: time('When it was answered or failed.'),
    error: text('Why it failed.'),
  }),
  inference_rows: mart('One row for each result of a name inference.', {
    run_id: text('The inference.'),
    audio_id: text('The audio.'),
    speaker_id: integer('The speaker.'),
    name: text('The accepted name, if any.'),
    quote: text('The words that show it.'),
    quote_start: number('When the utterance with the quote begins, in seconds.'),
    pattern: text('How they show it, such as self_introduction.'),
    reason: text('Why no name was accepted.'),
    role: text('The accepted role, if any.'),
    role_quote: text('The words that show the role.'),
    role_reason: text('Why no role was accepted.'),
  }),
  ledger: mart('One row for each entry of a ledger. The amounts of an account add up to its balance.', {
    position: text('Position of the event in the log; the entries of an account follow each other in this order.'),
    entry_id: text('The entry.'),
    account_id: text('The account.'),
    key_id: text('Key that caused it; of a realtime session, the key that created the session.'),
    recorded_at: time('When it was booked.'),
    kind: text('grant, charge or correction.'),
    category: text('grant, correction, name_inference or realtime.'),
    amount: number('Credits, negative when charged; exact as DECIMAL(15, 6).'),
    balance_after: number('Balance after it, in credits; exact as DECIMAL(15, 6).'),
    reason: text('What it was booked for.'),
    run_id: text('Name inference that was charged, if any.'),
    session_id: text('Realtime session that was charged, if any.'),
    audio_id: text('Audio of the inference, if any.'),
    request_id: text('Request that caused it.'),
  }),
  accounts: mart('One row for each account that was opened.', {
    account_id: text('The account.'),
    name: text('What people call it, if it has a name.'),
    balance: number('Its credits; exact as DECIMAL(15, 6).'),
    created_at: time('When it was opened.'),
  }),
  keys: mart('One row for each key that was ever issued; the key itself is nowhere.', {
    key_id: text('The key.'),
    account_id: text('Account that it acts for.'),
    label: text('What it is for, if that was said.'),
    admin: boolean('Whether it may do everything.'),
    permissions: text('MEDIA_WRITE and WORKER, as it has them, with a comma between them.'),
    made_by: text('Key that made it; none where an administrator issued it.'),
    created_at: time('When it was issued.'),
    expires_at: time('When it expires, if it does.'),
    revoked_at: time('When it was revoked, if it was.'),
  }),
  tags: mart('One row for each tag of a video, as it stands.', {
    video_id: text('The video.'),
    key: text('Key of the tag.'),
    category: text('provider, demographic, survey, label or user.'),
    value_type: text('string, number, boolean or string_list.'),
    value: text('The value as JSON.'),
    number_value: number('The value, where it is a number.'),
    source: text('importer.<name> or user.<account>.'),
    updated_at: time('When it was last written.'),
    updated_by: text('Account that wrote it.'),
  }),
} as const;

export type MartName = keyof typeof marts;
