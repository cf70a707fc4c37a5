import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import * as t from 'io-ts';
import { Mapping, type VideoCommand } from '../../../domain/video/contract.js';
import type { SuggestionBlock } from '../../../domain/video/write-back.js';
import { registeredIn } from '../../support/specification.js';
import { at } from '../../support/values.js';
import {
  found,
  writeBack,
  audioWith,
  completed,
  face,
  proposed,
  queued,
  theVideo,
} from '../../support/video-events.js';
import { shortOrLong } from '../../support/long-form.js';

const names = fc.constantFrom(null, '', '  ', 'Face 1', 'SPEAKER_01', 'Ann', 'Bob', ' Cy ', 'ann');

/** The block that a suggest run stores when its worker finds face n for speaker n. */
const storedBlock = (faces: ReadonlyArray<string | null>, speakers: ReadonlyArray<string | null>) => {
  const given = [...completed(...faces.map((name, id) => face(id, name))), queued('r', 'suggest', 0)];
  const audio = audioWith(...speakers.map((name, id) => [id, name] as const));
  const pairs = faces.slice(0, speakers.length).map((_, id) => proposed(id, id));
  const events = theVideo.given(...given).events(writeBack('r', 5, found(...pairs), audio));
  const [event] = events;
  if (event?.type !== 'SuggestionsStored') throw new Error('no block');
  return { given: [...given, ...events], audio, block: event.data.block };
};

const asBody = (block: SuggestionBlock): ReadonlyArray<Mapping> => {
  const body: unknown = JSON.parse(JSON.stringify(block));
  const decoded = t.type({ mappings: t.readonlyArray(Mapping) }).decode(body);
  if (E.isLeft(decoded)) throw new Error('no valid body');
  return decoded.right.mappings;
};

describe('the block of a suggest run, sent back unchanged', () => {
  it('commits exactly its content, whatever the names', () =>
    fc.assert(
      fc.property(
        fc.array(names, { minLength: 1, maxLength: 3 }),
        fc.array(names, { minLength: 1, maxLength: 3 }),
        (faces, speakers) => {
          const { given, audio, block } = storedBlock(faces, speakers);
          const put: VideoCommand = { type: 'MatchFaces', mappings: asBody(block), audio, at: at(9) };
          const [event] = theVideo.given(...given).events(put);
          const renamed = new Map(
            event?.type === 'FacesMatched' ? event.data.speakers.map((one) => [one.speaker_id, one.name]) : [],
          );
          const state = registeredIn(theVideo.given(...given).after(put));
          block.mappings.forEach(({ face_id, speaker_id, name }) => {
            const after = state.faces.get(face_id);
            expect(after).to.include({ speaker_id, accuracy: null });
            const speaker = renamed.get(speaker_id) ?? speakers[speaker_id] ?? null;
            if (name === null) {
              expect(after?.name).to.equal(faces[face_id]);
              expect(speaker).to.equal(speakers[speaker_id] ?? null);
            } else expect([after?.name, speaker]).to.deep.equal([name, name]);
          });
          expect(state.faces.size).to.equal(faces.length);
        },
      ),
      { numRuns: shortOrLong(150, 500) },
    ));
});
