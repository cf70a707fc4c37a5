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

/** Nobody recorded then whose name it was: a real one is taken for a person's, so that it is not overwritten. */
const taken = (name: unknown): NamedBy => (typeof name === 'string' && isRealName(name) ? 'person' : 'analysis');

const faceChange: Upcast = (change) => {
  const [before, after] = [fieldsOf(change['before'])['name'], fieldsOf(change['after'])['name']];
  return { ...change, named_by: before === after ? null : { before: taken(before), after: taken(after) } };
};

/** Whoever was renamed before it was recorded by whom was renamed by a person. */
const renaming: Upcast = (item) => ({
  ...item,
  named_by: { before: taken(item['previous_name']), after: 'person' },
});

const casting: Upcast = (item) => ({ ...item, role_by: { before: 'analysis', after: 'person' } });

/** One who was called so already had nothing to follow then. */
const namedSpeaker: Upcast = (item) => ({
  ...item,
  previous_named_by: item['name'] === item['previous_name'] ? 'person' : taken(item['previous_name']),
});

const changes = each('changes', faceChange);
const replaced = each('replaced', faceChange);
const noMediaUrl: Upcast = (data) => ({ ...data, media_url: null });

/** Before people could decide of links, a revert put back no such decision. */
const noRuledOut: Upcast = (data) => ({ ...data, ruled_out: [] });
const videosPart: Upcast = (data) => {
  const video = data['video'];
  return t.UnknownRecord.is(video)
    ? { ...data, video: { ...video, changes: noRuledOut(fieldsOf(video['changes'])) } }
    : data;
};

/** What makes the newest data of that of each version that is written no more, by stored type; they stay for ever. */
export const upcasters: Readonly<Record<string, Upcast>> = {
  'VideoRegistered.v1': noMediaUrl,
  'AudioAttached.v1': noMediaUrl,
  'FacesRenamed.v1': each('faces', renaming),
  'FacesMatched.v1': inOrder(changes, each('speakers', namedSpeaker)),
  'SpeakerWithdrawn.v1': changes,
  'MatchesCommitted.v1': inOrder(replaced, changes),
  'MatchRunFailed.v1': replaced,
  'MatchRunReverted.v1': changes,
  'MatchRunCommitted.v1': inOrder(replaced, changes),
  'MatchRunFailureNoted.v1': replaced,
  'MatchRunUndone.v1': changes,
  'TranscriptReplaced.v1': (data) => data,
  'SpeakersRenamed.v1': each('speakers', renaming),
  'NamesInferred.v1': inOrder(each('renamed', renaming), each('roles', casting)),
  'SpeakerRolesSet.v1': each('speakers', casting),
  'VideoChangeReverted.v1': noRuledOut,
  'AudioChangeReverted.v1': videosPart,
  'SpeakersMerged.v1': (data) => ({ ...data, renamed: null, called: null }),
};
