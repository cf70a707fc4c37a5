import * as t from 'io-ts';
import { type NamedBy, isRealName } from './kernel/names.js';

type Fields = Readonly<Record<string, unknown>>;
type Upcast = (data: Fields) => Fields;

const fieldsOf = (value: unknown): Fields => (t.UnknownRecord.is(value) ? value : {});

const each =
  (list: string, upcast: Upcast): Upcast =>
  (data) => {
    const items = data[list];
    return t.UnknownArray.is(items)
      ? { ...data, [list]: items.map((item) => (t.UnknownRecord.is(item) ? upcast(item) : item)) }
      : data;
  };

const inOrder =
  (...upcasts: ReadonlyArray<Upcast>): Upcast =>
  (data) =>
    upcasts.reduce((upcasted, upcast) => upcast(upcasted), data);

/**
 * Version 1 did not record who gave a name. A real name counts as given by a person, so that no analysis overwrites it.
 */
const taken = (name: unknown): NamedBy => (typeof name === 'string' && isRealName(name) ? 'person' : 'analysis');

const faceChange: Upcast = (change) => {
  const [before, after] = [fieldsOf(change['before'])['name'], fieldsOf(change['after'])['name']];
  return { ...change, named_by: before === after ? null : { before: taken(before), after: taken(after) } };
};

/** In version 1 all renamings count as made by a person. */
const renaming: Upcast = (item) => ({
  ...item,
  named_by: { before: taken(item['previous_name']), after: 'person' },
});

const casting: Upcast = (item) => ({ ...item, role_by: { before: 'analysis', after: 'person' } });

/** A speaker that already had the name was not renamed. */
const namedSpeaker: Upcast = (item) => ({
  ...item,
  previous_named_by: item['name'] === item['previous_name'] ? 'person' : taken(item['previous_name']),
});

const changes = each('changes', faceChange);
const replaced = each('replaced', faceChange);
const noMediaUrl: Upcast = (data) => ({ ...data, media_url: null });

/** Version 1 has no decisions about links. */
const noRuledOut: Upcast = (data) => ({ ...data, ruled_out: [] });
const videosPart: Upcast = (data) => {
  const video = data['video'];
  return t.UnknownRecord.is(video)
    ? { ...data, video: { ...video, changes: noRuledOut(fieldsOf(video['changes'])) } }
    : data;
};

/** Version 1 kept what an analysis did not bring, and every number meant what it meant before. */
const noRenumbering: Upcast = (data) => ({ ...data, renumbered: [], discontinued: [] });
const keptEvidence: Upcast = (data) => ({
  ...data,
  keeps: { turns: data['turns'] === null, transcript: data['transcript'] === null },
});

/** Runs of name inference claimed keys by an event of their own. Such a run is finished, and no request equals its own. */
export const claimOfRun: Upcast = ({ run_id, ...claim }) => ({
  ...claim,
  write_id: run_id,
  instance_id: 'none',
  process_id: 'none',
});

/** The current version may lack what this one always has. */
const unchanged: Upcast = (data) => data;

/** Converts the data of old event versions to the current version, by stored type. Never remove one. */
export const upcasters: Readonly<Record<string, Upcast>> = {
  'VideoRegistered.v1': noMediaUrl,
  'AudioAttached.v1': noMediaUrl,
  'AudioAnalysisRecorded.v1': inOrder(keptEvidence, noRenumbering),
  'VideoAnalysisRecorded.v1': noRenumbering,
  'VideoAnalysisRecorded.v2': unchanged,
  'FacesRenamed.v1': each('faces', renaming),
  'FacesMatched.v1': inOrder(changes, each('speakers', namedSpeaker)),
  'SpeakerWithdrawn.v1': changes,
  'MatchesCommitted.v1': inOrder(replaced, changes),
  'MatchRunFailed.v1': replaced,
  'MatchRunReverted.v1': changes,
  'MatchRunCommitted.v1': inOrder(replaced, changes),
  'MatchRunFailureNoted.v1': replaced,
  'MatchRunUndone.v1': changes,
  'MatchRunUndone.v2': unchanged,
  'TranscriptReplaced.v1': (data) => data,
  'SpeakersRenamed.v1': each('speakers', renaming),
  'NamesInferred.v1': inOrder(each('renamed', renaming), each('roles', casting)),
  'SpeakerRolesSet.v1': each('speakers', casting),
  'VideoChangeReverted.v1': noRuledOut,
  'VideoChangeReverted.v2': unchanged,
  'AudioChangeReverted.v1': videosPart,
  'SpeakersMerged.v1': (data) => ({ ...data, renamed: null, called: null }),
};
