import type { OperationId } from '../../runtime/operations.js';

/** What an operation is for: a line, and what is worth knowing in sentences. */
export interface OperationText {
  readonly summary: string;
  readonly description: string;
}

const text = (summary: string, description: string): OperationText => ({ summary, description });

const undo =
  'An event position names the whole change that one request made, on both records. Each field that still has the value that the change gave it is put back; one that was changed since stays, and is named in `changed_since`. `dry_run` answers the same and writes nothing.';

const run =
  'A run takes the speakers that are named, or all. It is answered by a worker, the embedded one unless it is switched off; `runs.get` with `wait` tells when it has ended. While a run is in flight, a second one is refused until the first is stale.';

const importing = 'With `format`, the body is a document of a provider; the answer then tells how it was understood.';

const inference =
  'It is admitted while the account has credit, and charged by what the model reports. With an idempotency key, a repetition within 24 hours gets the answer of the first one and is not charged.';

export const texts: Readonly<Record<OperationId, OperationText>> = {
  'service.health': text('Is the process up?', 'Answers as long as the process can answer at all.'),
  'service.readiness': text(
    'Can the service serve?',
    '503 with the reasons while the event store cannot be reached or the read models are behind. Warnings tell of what an operator should know.',
  ),
  'sessions.health': text(
    'Can realtime sessions be begun?',
    '503 while the analysis engine cannot be reached. How many sessions are free has nothing to do with it.',
  ),

  'accounts.create': text('Open an account', 'Without an id, one is made.'),
  'keys.create': text(
    'Issue an API key',
    'The key is shown in this answer and never again. A repetition with the same idempotency key makes no second key.',
  ),
  'keys.list': text('List the keys of an account', 'Without their secrets; revoked and expired ones included.'),
  'keys.revoke': text(
    'Revoke an API key',
    'It is refused from the next request on, and so is every key that it made. The realtime sessions that it created end.',
  ),
  'retention.set': text(
    'Set how long media are kept',
    'Media of the account that had no event for so many days are erased; `null`: never.',
  ),
  'retention.get': text('Show how long media are kept', '`null` until it is set.'),
  'me.get': text('Who am I?', 'The calling key, what it may do, and what its account has left.'),
  'me.createKey': text(
    'Make a short-lived key of the own account',
    'It has no more rights than the calling key, lives no longer, and is revoked with it. Pages in a browser work with such keys.',
  ),
  'me.revokeKey': text('Revoke a key that a key made', 'The calling key may revoke itself.'),
  'credits.add': text('Book credits', 'A positive amount grants, a negative one corrects. Answers the balance.'),
  'credits.get': text(
    'Show the balance and the spending window',
    '`held` is what calls under way hold; it is not available to others.',
  ),
  'credits.setWindow': text('Set or clear the spending window', '`limit: null` clears it.'),
  'credits.ledger': text('List what was booked', 'Newest first. The amounts of an account add up to its balance.'),
  'credits.usage': text('Sum up charges', 'Charges alone, summed exactly, by one or several fields, or in all.'),

  'videos.create': text(
    'Register a video',
    'Without an id, one is made. `audio_id` names an audio of the caller that belongs to no video yet.',
  ),
  'videos.list': text('List videos', 'Those of the caller, for an admin all; newest first unless told otherwise.'),
  'videos.get': text('Show a video', 'With `at`, as it stood at a time or a revision.'),
  'videos.update': text('Change title or media URL', 'An absent field stays as it is, null clears it.'),
  'videos.erase': text(
    'Erase a video',
    'Its content, evidence, transcript, names and history can be read nowhere from then on. Ids, times, actors and what was charged stay. For good: the id is never given out again.',
  ),
  'videos.recordAnalysis': text(
    'Write back the analysis of a video',
    `The faces that were seen, and when. A face without a name is called \`Face {id}\`. ${importing}`,
  ),
  'videos.tracks': text(
    'Show when faces are to be seen',
    'Tracks, active-speaker scores and captions that overlap the time asked for. A face may go on over pages.',
  ),
  'videos.history': text('List the events of a video', 'In their order, with who caused them and in which request.'),
  'videos.revert': text('Undo a change of a video', undo),
  'faces.rename': text('Name faces', 'All or none: an unknown face is 404.'),
  'faces.recordTraits': text(
    'Write back personality data of a face',
    'For a worker that analyses a face anew, after a match cleared what was known.',
  ),

  'audios.create': text(
    'Register an audio',
    'Without an id, one is made. `video_id` names a video of the caller that has no audio yet.',
  ),
  'audios.list': text('List audios', 'Those of the caller, for an admin all; newest first unless told otherwise.'),
  'audios.get': text('Show an audio', 'With `at`, as it stood at a time or a revision.'),
  'audios.update': text('Change the title', 'An absent title stays as it is, null clears it.'),
  'audios.erase': text(
    'Erase an audio',
    'Its content, evidence, transcript, names and history can be read nowhere from then on. Ids, times, actors and what was charged stay. For good: the id is never given out again.',
  ),
  'audios.recordAnalysis': text('Write back the analysis of an audio', `Who speaks when, and what. ${importing}`),
  'audios.segments': text('Show who speaks when', 'What overlaps the time asked for, whole.'),
  'audios.transcript': text(
    'Show what was said',
    '`index` is the place of the utterance in the transcript as it was sent; quotes refer to it.',
  ),
  'audios.replaceTranscript': text(
    'Replace the transcript',
    'From then on the audio is not eligible for name inference, for good.',
  ),
  'audios.history': text('List the events of an audio', 'In their order, with who caused them and in which request.'),
  'audios.revert': text('Undo a change of an audio', undo),
  'speakers.rename': text(
    'Name speakers',
    'Speakers that the audio does not have are named in `skipped`. The face that is matched to a speaker takes the name too.',
  ),
  'speakers.setRoles': text('Set roles of speakers', 'null clears a role. Unknown speakers are named in `skipped`.'),
  'speakers.merge': text('Merge a speaker into another', 'Everything that `from` said counts as said by `into`.'),
  'speakers.delete': text('Delete a speaker', 'The face that was matched to the speaker loses its match.'),

  'matches.commit': text(
    'Match faces to speakers',
    'A person says whose face is whose; a whole block of suggestions is a valid body. Face and speaker take the name that is given. A speaker has one face and a face one speaker: what was matched before moves.',
  ),
  'matches.run': text('Start a run that commits', `What the run finds is written to the faces. ${run}`),
  'matches.suggest': text('Start a run that suggests', `What the run finds is stored as suggestions. ${run}`),
  'matches.suggestions': text(
    'Show the stored suggestions',
    'Sent back as it is, the block is a valid body of `matches.commit`. 404 while a run is in flight, and where none was stored.',
  ),
  'matches.status': text(
    'Show the status of a video',
    'Of its processing, or with `speaker_face_match_status=true` of its newest match run.',
  ),
  'matches.writeBack': text(
    'Write back the result of a match run',
    'With a `run_id` it counts for that run alone; a run that ended or was superseded changes nothing.',
  ),
  'matches.delete': text('Take the match of a face away', 'Its personality data goes with it; names stay.'),
  'decisions.create': text(
    'Decide about faces and speakers',
    'Confirm a match, confirm that a speaker is not to be seen (`face_id: null`), or reject a pair. All or none; every later run heeds it.',
  ),
  'decisions.list': text('List the decisions that stand', 'Those that were not replaced or undone.'),
  'review.list': text(
    'List open questions',
    'The questions whose answers help most come first. `gain` is how many links are expected to become right by the answer.',
  ),
  'runs.list': text('List the match runs of a video', 'With what became of each, and its late write-backs.'),
  'runs.get': text('Show a match run', 'With `wait`, answers as soon as the run is no longer in flight.'),
  'runs.revert': text(
    'Undo what a run changed',
    'The faces that its write-back changed are put back, except those changed since, which are named.',
  ),
  'runs.listAll': text(
    'List match runs of all videos',
    'For workers: `state=in_flight` are the runs that wait for an answer, oldest first; with `wait`, an empty list waits for a run.',
  ),

  'names.infer': text(
    'Infer names of speakers, and write them',
    `Names that stand by their evidence in the transcript are written, with roles where they are asked for. ${inference}`,
  ),
  'names.suggest': text(
    'Infer names of speakers, and write nothing',
    `A row says what was found for a speaker, or why nothing was. ${inference}`,
  ),
  'names.estimate': text('Estimate what an inference costs', 'Free; it asks no model and writes nothing.'),

  'tags.import': text(
    'Import tags of a provider',
    'All or none: the refusal names every key that cannot be written, and why. `dry_run` answers the same and writes nothing.',
  ),
  'tags.set': text('Set tags', 'Of the categories label and user. All or none, as for imports.'),
  'tags.list': text('List the tags of a video', 'With where each value comes from.'),
  'tags.delete': text('Take a tag away', 'Of the categories label and user.'),
  'tagRegistry.list': text('List the tag registry', 'Keys and families of keys; the most specific entry counts.'),
  'tagRegistry.register': text('Register a tag key', 'Or a family of keys such as `vpm.*`; replaces an entry.'),

  'sessions.price': text('Show the price of a session', 'What a minute costs, and what the account has left.'),
  'sessions.create': text(
    'Create a realtime session',
    'The token opens the other operations of this session and its results, so that a page needs no API key. It is shown here once.',
  ),
  'sessions.get': text('Show a session', 'Its state, and what was charged for it until now.'),
  'sessions.offer': text(
    'Negotiate media',
    'Takes an offer of WebRTC and gives the answer; a second offer renegotiates.',
  ),
  'sessions.addCandidate': text('Add an ICE candidate', 'As the browser finds them; an empty one ends them.'),
  'sessions.renewToken': text('Make one more token', 'Earlier ones stay valid for their own time.'),
  'sessions.end': text('End a session', 'What was used is charged. Ended sessions are 404.'),
  'sessions.erase': text(
    'Erase a session that has ended',
    'Its `metadata` can be read nowhere from then on. What was charged stays. For good.',
  ),

  'audit.events': text(
    'List events of the whole log',
    'Oldest first. With `Accept: application/x-ndjson` the whole selection is streamed, an event a line.',
  ),
  'audit.lateWrites': text(
    'List late write-backs',
    'Those that came late, or that may have come from another run than they were booked on, with what they changed.',
  ),
};
