import { expect } from 'chai';
import * as fc from 'fast-check';
import type { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { GivenName } from '../../../domain/kernel/names.js';
import { sameMatch } from '../../../domain/video/changes.js';
import { type Face, withChanges } from '../../../domain/video/state.js';
import { type FaceLink, linkFaces } from '../../../domain/video/link-faces.js';
import { at, faceId, speakerId } from '../../support/values.js';
import { shortOrLong } from '../../support/long-form.js';
import { faceOf } from '../../support/video-events.js';

const ids = [0, 1, 2, 3, 4, 5];
const six = { minLength: ids.length, maxLength: ids.length };
const names = fc.array(fc.constantFrom(null, 'Face 1', 'Ann', 'Bob'), six);
const accuracies = fc.array(fc.constantFrom(null, 0.5, 0.9), six);

/** Distinct ids of one kind beside distinct ids of the other. */
const pairs = fc
  .tuple(fc.shuffledSubarray(ids), fc.shuffledSubarray(ids, { minLength: ids.length }))
  .map(([faces, speakers]) => faces.map((face, index) => [face, speakers[index] ?? 0] as const));

const faces = fc.tuple(pairs, names, accuracies).map(([matched, name, accuracy]) => {
  const speakers = new Map(matched);
  return new Map(
    ids.map((id): [FaceId, Face] => {
      const speaker = speakers.get(id);
      const match =
        speaker === undefined
          ? { speaker_id: null, accuracy: null }
          : { speaker_id: speakerId(speaker), accuracy: accuracy[id] ?? null };
      return [faceId(id), faceOf(id, { name: name[id] ?? null, personality_traits: { calm: id }, ...match })];
    }),
  );
});

const given = (name: string | null): GivenName | null => (name === null ? null : { name, named_by: 'person' });

const links = fc.tuple(pairs, names, accuracies).map(([matched, name, accuracy]) =>
  matched.map(([face, speaker], index): FaceLink => ({
    face_id: faceId(face),
    speaker_id: speakerId(speaker),
    accuracy: accuracy[index] ?? null,
    name: given(name[index] ?? null),
  })),
);

describe('linking faces and speakers, from any earlier links', () => {
  it('keeps them one to one, makes the requested links, changes and clears nothing else, and is idempotent', () =>
    fc.assert(
      fc.property(faces, links, (before, wanted) => {
        const changes = linkFaces(before, wanted);
        const after = withChanges(before, changes, { at: at(1), adopts: true });
        const held = [...after.values()].flatMap(({ speaker_id }) => (speaker_id === null ? [] : [speaker_id]));
        expect(new Set(held).size).to.equal(held.length);
        wanted.forEach(({ face_id, speaker_id, accuracy, name }) =>
          expect(after.get(face_id)).to.include({
            speaker_id,
            accuracy,
            name: name?.name ?? before.get(face_id)?.name ?? null,
          }),
        );
        expect(new Set(changes.map(({ face_id }) => face_id)).size).to.equal(changes.length);
        expect(linkFaces(after, wanted)).to.deep.equal([]);
        const speakers = new Set(wanted.map(({ speaker_id }) => speaker_id));
        const wantedIds = new Set(wanted.map(({ face_id }) => face_id));
        before.forEach((face, id) => {
          const change = changes.find(({ face_id }) => face_id === id);
          const cleared = change !== undefined && !sameMatch(change.before, change.after);
          if (change === undefined) expect(after.get(id)).to.equal(face);
          else if (!wantedIds.has(id)) {
            expect(face.speaker_id).to.satisfy((one: SpeakerId) => speakers.has(one));
            expect(after.get(id)).to.include({ name: face.name, speaker_id: null, accuracy: null });
          }
          expect(after.get(id)?.personality_traits).to.equal(cleared ? null : face.personality_traits);
        });
      }),
      { numRuns: shortOrLong(400, 2_000) },
    ));
});
