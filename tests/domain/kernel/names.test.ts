import { expect } from 'chai';
import {
  NameText,
  PersonName,
  generatedFaceLabel,
  isBlank,
  isPlaceholderName,
  isRealName,
} from '../../../domain/kernel/names.js';

const placeholders = [
  'Face 12',
  'face_1',
  'FACE-#3',
  'face7',
  'Speaker 1',
  'SPEAKER_01',
  'spk00',
  'spkr-2',
  'Person B',
  'participant#4',
  'speaker z',
  'unknown',
  'Unnamed',
  'unknown speaker',
  'unknown_face_2',
  'unnamed person #3',
  ' unknown ',
];
const names = ['Ann', 'Facey 1', 'Face One', 'my face 1', 'Speaker Ann', 'Spike 1', 'unknown soldier', 'known', '12'];

describe('names', () => {
  it('are blank where there is nothing to see', () => {
    for (const name of [null, undefined, '', ' \t\n']) expect(isBlank(name)).to.equal(true);
    expect(isBlank(' a ')).to.equal(false);
  });
  it('are placeholders where a tool made them', () => {
    for (const name of placeholders) expect(isPlaceholderName(name), name).to.equal(true);
    for (const name of names) expect(isPlaceholderName(name), name).to.equal(false);
    for (const id of [0, 7, 123]) expect(isPlaceholderName(generatedFaceLabel(id))).to.equal(true);
  });
  it('are real unless they are blank or placeholders', () => {
    for (const name of names) expect(isRealName(name), name).to.equal(true);
    for (const name of [...placeholders, '', ' ', null]) expect(isRealName(name), `${name}`).to.equal(false);
  });
  it('that a person gave are real whatever they say, but for the label of a face', () => {
    for (const name of ['Speaker 1', 'unknown', 'face 1', 'Face 1a', 'My Face 1'])
      expect(isRealName(name, 'person'), name).to.equal(true);
    for (const name of ['Face 1', ' Face 12 ', '', null]) expect(isRealName(name, 'person'), `${name}`).to.equal(false);
    expect(isRealName('Speaker 1', 'speaker')).to.equal(false);
  });
  it('have 500 characters of sound Unicode at most', () => {
    for (const name of ['', 'x'.repeat(500)]) expect(NameText.is(name)).to.equal(true);
    for (const name of ['x'.repeat(501), '\ud800']) expect(NameText.is(name)).to.equal(false);
    for (const name of ['Ann', 'x'.repeat(500)]) expect(PersonName.is(name)).to.equal(true);
    for (const name of ['', ' ', 'x'.repeat(501), '\ud800', 7]) expect(PersonName.is(name)).to.equal(false);
  });
});
