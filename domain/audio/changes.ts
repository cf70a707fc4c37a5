import * as t from 'io-ts';
import { editOf } from '../kernel/edit.js';
import { nullable } from '../kernel/recorded-event.js';
import { SpeakerId } from '../kernel/ids.js';
import { SpeakerRole } from '../kernel/media.js';
import { NamedBy } from '../kernel/names.js';

/** Who gave or cleared a speaker's role. */
export const RoleBy = t.keyof({ person: null, analysis: null }, 'RoleBy');
export type RoleBy = t.TypeOf<typeof RoleBy>;

const SpeakerNaming = t.type({ name: nullable(t.string), named_by: NamedBy });
const SpeakerCasting = t.type({ role: nullable(SpeakerRole), role_by: RoleBy });

/** A change of one speaker; null for unchanged values. */
export const SpeakerEdit = t.type(
  {
    speaker_id: SpeakerId,
    name: nullable(editOf(SpeakerNaming)),
    role: nullable(editOf(SpeakerCasting)),
    deal_person_id: nullable(editOf(nullable(t.string))),
  },
  'SpeakerEdit',
);
export type SpeakerEdit = t.TypeOf<typeof SpeakerEdit>;

/** The reversible part of a change of an audio. */
export const AudioChanges = t.type(
  { speakers: t.readonlyArray(SpeakerEdit), title: nullable(editOf(nullable(t.string))) },
  'AudioChanges',
);
export type AudioChanges = t.TypeOf<typeof AudioChanges>;
