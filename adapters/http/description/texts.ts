import type { OperationId } from '../../runtime/operations.js';

/** What the OpenAPI document says about an operation. */
export interface OperationText {
  readonly summary: string;
  readonly description: string;
}

const text = (summary: string, description: string): OperationText => ({ summary, description });

const undo =
  'Reverts everything that the request which wrote the event at `position` changed, on the video and its audio. Each field that still has the value written then gets its previous value; fields changed since keep their value and are listed in `changed_since`. With `dry_run` nothing is written.';

const run =
  'Processes the given speakers, or all. The run is answered by a worker: the embedded one, or an external one if the embedded one is switched off. `runs.get` with `wait` returns when the run has ended. While a suggest run is in flight, further triggers of both modes are refused until it is stale. A commit run keeps none off: a trigger that comes before its result supersedes it.';

const importing =
  'With `format`, the body is a document in the format of that provider, and the answer says how it was interpreted.';

const inference =
  'Requires available credit; the price depends on the tokens that the model reports. Repeating a request with the same idempotency key within 24 hours returns the first answer and is not charged.';

const erasure =
  'Permanently erases its content, evidence, transcript and names. Its history still lists each event with its time and actor, but without data (`erased: true`). Charges are kept. The id cannot be used again.';

export const texts: Readonly<Record<OperationId, OperationText>> = {
  'service.health': text('Check that the process is running', 'Answers whenever the process is able to answer.'),
  'service.readiness': text(
    'Check that the service can handle requests',
    'Answers 503 with the reasons while the event store is unreachable or the read models are behind. `warnings` are for operators.',
  ),
  'sessions.health': text(
    'Check that realtime sessions can be created',
    'Answers 503 while the analysis engine is unreachable. Does not depend on the number of free sessions.',
  ),

  'accounts.create': text('Create an account', 'If no id is given, the service generates one.'),
  'accounts.list': text('List the accounts', 'In the order of their ids.'),
  'accounts.get': text('Get an account', 'The account with its name.'),
  'accounts.update': text('Rename an account', 'Null clears the name. An absent name changes nothing.'),
  'keys.create': text(
    'Create an API key',
    'The key is returned only in this answer. Repeating the request with the same idempotency key does not create a second key.',
  ),
  'keys.list': text('List the API keys of an account', 'Includes revoked and expired keys, but no secrets.'),
  'keys.revoke': text(
    'Revoke an API key',
    'Takes effect with the next request. Also revokes all keys created with this key, and ends the realtime sessions it created.',
  ),
  'retention.set': text(
    'Set the retention period',
    'Media of the account without a new event for `days` days are erased. `null`: never.',
  ),
  'retention.get': text('Get the retention period', '`null` if none is set.'),
  'me.get': text('Get the calling key and account', 'The calling key, its permissions and the account balance.'),
  'me.createKey': text(
    'Create a short-lived key for the same account',
    'The new key has no permission that the calling key lacks, expires no later, and is revoked with it. Intended for web pages: with `replace`, a page that was closed leaves no key behind.',
  ),
  'me.revokeKey': text(
    'Revoke a key created with another key',
    'Works only for keys created with `me.createKey`. Such a key can revoke itself.',
  ),
  'credits.grant': text('Grant or correct credits', 'Positive: a grant; negative: a correction. Returns the balance.'),
  'credits.get': text(
    'Get the balance and the spending window',
    '`held` is reserved for calls that are in progress and is not available to other calls.',
  ),
  'credits.setWindow': text('Set or clear the spending window', '`limit: null` clears it.'),
  'credits.ledger': text('List ledger entries', 'Newest first. The amounts of all entries add up to the balance.'),
  'credits.usage': text(
    'Sum up charges',
    'Exact sums of charges, grouped by the fields in `group_by`, or in total if it is absent.',
  ),

  'videos.create': text(
    'Register a video',
    'If no id is given, the service generates one. `audio_id` links an audio of the same account that has no video yet.',
  ),
  'videos.list': text('List videos', 'The videos of the account; admin keys see all. Newest first by default.'),
  'videos.get': text('Get a video', '`at` selects an earlier state, by time or revision.'),
  'videos.update': text('Change the title or media URL', 'Absent fields are not changed; null clears a field.'),
  'videos.erase': text('Erase a video', erasure),
  'videos.recordAnalysis': text(
    'Write back the analysis of a video',
    `The faces in the video and when they are visible. A face without a name is called \`Face {id}\`. ${importing}`,
  ),
  'videos.tracks': text(
    'List face tracks',
    'Face tracks, active-speaker scores and captions that overlap the given time range. A face may continue on the next page.',
  ),
  'videos.history': text('List the events of a video', 'In order, each with the actor and request that caused it.'),
  'videos.revert': text('Revert a change of a video', undo),
  'faces.rename': text('Rename faces', 'All or nothing: an unknown face is answered with 404.'),
  'faces.recordTraits': text(
    'Write back personality data of a face',
    'For workers: a change of the match clears the personality data of a face, which then has to be analysed again.',
  ),

  'audios.create': text(
    'Register an audio',
    'If no id is given, the service generates one. `video_id` links a video of the same account that has no audio yet.',
  ),
  'audios.list': text('List audios', 'The audios of the account; admin keys see all. Newest first by default.'),
  'audios.get': text('Get an audio', '`at` selects an earlier state, by time or revision.'),
  'audios.update': text('Change the title', 'An absent title is not changed; null clears it.'),
  'audios.erase': text('Erase an audio', erasure),
  'audios.recordAnalysis': text(
    'Write back the analysis of an audio',
    `The speakers, their turns and the transcript. ${importing}`,
  ),
  'audios.segments': text('List speaker turns', 'The turns that overlap the given time range; they are not cut.'),
  'audios.transcript': text(
    'Get the transcript',
    '`index` is the position of the utterance in the submitted transcript; quotes refer to it.',
  ),
  'audios.replaceTranscript': text('Replace the transcript', 'Permanently excludes the audio from name inference.'),
  'audios.history': text('List the events of an audio', 'In order, each with the actor and request that caused it.'),
  'audios.revert': text('Revert a change of an audio', undo),
  'speakers.rename': text(
    'Rename speakers',
    'Unknown speakers are listed in `skipped`. A face matched to a renamed speaker gets the same name.',
  ),
  'speakers.setRoles': text('Set roles of speakers', 'null clears a role. Unknown speakers are listed in `skipped`.'),
  'speakers.merge': text('Merge a speaker into another', 'Everything said by `from` is assigned to `into`.'),
  'speakers.delete': text('Delete a speaker', 'A face matched to the speaker loses its match.'),

  'matches.commit': text(
    'Match faces to speakers',
    'Commits matches made by a person; a block of suggestions is a valid body. The face and the speaker get the given name. A speaker has at most one face and a face at most one speaker: an earlier match is replaced.',
  ),
  'matches.run': text('Start a match run that commits', `The matches found are written to the faces. ${run}`),
  'matches.suggest': text('Start a match run that suggests', `The matches found are stored as suggestions. ${run}`),
  'matches.suggestions': text(
    'Get the stored suggestions',
    'The answer is a valid body of `matches.commit`. 404 while a suggest run is in flight, or if no suggestions are stored.',
  ),
  'matches.status': text(
    'Get the status of a video',
    'The processing status, or with `speaker_face_match_status=true` the status of the newest match run.',
  ),
  'matches.writeBack': text(
    'Write back the result of a match run',
    'For workers. With `run_id` the result applies to that run only, and changes nothing if the run has ended or was superseded.',
  ),
  'matches.delete': text('Remove the match of a face', 'Also clears its personality data. Names are kept.'),
  'decisions.create': text(
    'Decide about matches',
    'Confirm a match, confirm that a speaker is not visible (`face_id: null`), or reject a match. All or nothing. Later runs respect decisions.',
  ),
  'decisions.list': text('List current decisions', 'Without decisions that were replaced or reverted.'),
  'review.list': text(
    'List review questions',
    'The questions whose answers help most come first: `gain` is the expected number of matches that become correct.',
  ),
  'runs.list': text('List the match runs of a video', 'With their outcome and late write-backs.'),
  'runs.get': text('Get a match run', 'With `wait`, answers as soon as the run is no longer in flight.'),
  'runs.revert': text(
    'Revert a match run',
    'Restores the faces changed by the run. Faces changed since are not restored and are listed in `changed_since`.',
  ),
  'runs.listAll': text(
    'List match runs of all videos',
    'For workers: `state=in_flight` lists runs to be processed, oldest first. With `wait`, an empty list is held back until there is a run.',
  ),

  'names.infer': text(
    'Infer and write names of speakers',
    `Writes the names that the transcript supports, and roles if requested. ${inference}`,
  ),
  'names.suggest': text(
    'Infer names of speakers without writing them',
    `Returns for each speaker the inferred name, or why there is none. ${inference}`,
  ),
  'names.estimate': text('Estimate the cost of an inference', 'Free of charge. Calls no model and writes nothing.'),

  'tags.import': text(
    'Import tags of a provider',
    'All or nothing: a refusal lists every tag that cannot be written, and why. With `dry_run` nothing is written.',
  ),
  'tags.set': text('Set tags', 'Only tags of the categories `label` and `user`. All or nothing, as for imports.'),
  'tags.list': text('List the tags of a video', 'Each with its source.'),
  'tags.delete': text('Delete a tag', 'Only tags of the categories `label` and `user`.'),
  'tagRegistry.list': text(
    'List the tag registry',
    'Contains tag keys and families of keys such as `vpm.*`. The most specific entry applies.',
  ),
  'tagRegistry.register': text(
    'Register a tag key',
    'Or a family of keys such as `vpm.*`. An existing entry of the same key is replaced.',
  ),

  'sessions.price': text('Get the price of realtime sessions', 'The price per minute and the balance of the account.'),
  'sessions.create': text(
    'Create a realtime session',
    'With the returned token, a web page can use this session and its results without an API key. The token is shown only once.',
  ),
  'sessions.get': text('Get a session', 'Its status and the credits charged so far.'),
  'sessions.offer': text('Send a WebRTC offer', 'Returns the WebRTC answer. A second offer renegotiates.'),
  'sessions.addCandidate': text(
    'Add an ICE candidate',
    'Send each candidate as the browser finds it; an empty candidate signals the end.',
  ),
  'sessions.renewToken': text('Create another token', 'Earlier tokens remain valid until they expire.'),
  'sessions.end': text('End a session', 'Charges the time used. An ended session is answered with 404.'),
  'sessions.erase': text('Erase an ended session', 'Permanently erases its `metadata`. Charges are kept.'),

  'audit.events': text(
    'List the events of the log',
    'Oldest first. With `Accept: application/x-ndjson` all selected events are streamed, one per line.',
  ),
  'audit.lateWrites': text(
    'List late write-backs',
    'Write-backs that came too late or may belong to another run than the one they were assigned to, with their changes.',
  ),
};
