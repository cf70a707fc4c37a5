import { expect } from 'chai';
import { importFiles, type ImportRequest } from '../../../adapters/import/import-files.js';
import { joinSpeech } from '../../../adapters/import/join-speech.js';
import { readText, sample, textOf } from './providers.js';
import { avaFaces, avaTurns, left, right } from './support.js';

const nowhere = { url: 'http://127.0.0.1:9', key: 'k', dryRun: true };
const dryRun = (asked: Partial<ImportRequest>) => importFiles({ ...nowhere, files: [], ...asked });

const speechOf = async (text: string) => {
  const { speech } = (await readText(text)).imported;
  if (speech === null) throw new Error('speech was expected');
  return speech;
};

const rttm = (...turns: ReadonlyArray<readonly [start: number, seconds: number, who: string]>): string =>
  turns.map(([start, seconds, who]) => `SPEAKER clip 1 ${start} ${seconds} <NA> <NA> ${who} <NA> <NA>`).join('\n');

describe('several files of one medium', () => {
  it('are faces of one, turns of another and the transcript of a third', async () => {
    const parts = [
      { path: avaFaces, wanted: 'faces' },
      { path: sample('pyannote-turns.json'), wanted: 'diarisation' },
      { path: sample('whisperx.json'), wanted: 'transcript' },
    ] as const;
    const { json, text } = right(await dryRun({ parts }));
    expect(text).to.include('transcript: our own analysis');
    expect(json).to.have.nested.property('files[0].faces', 7);
    expect(json).to.have.nested.property('files[1].segments', 5);
    expect(json).to.have.nested.property('files[2].words', 26);
  });

  it('are told apart by what they hold, without saying so', async () => {
    const { json } = right(await dryRun({ files: [avaFaces, avaTurns, sample('zoom.vtt')] }));
    expect(json).to.have.property('provider_supplied', true);
  });

  it('are refused when they say one thing twice, or lack what is wanted', async () => {
    const twice = left(await dryRun({ files: [sample('zoom.vtt'), sample('whisperx.json')] }));
    expect(twice.kind).to.equal('usage');
    expect(twice.messages[0]).to.match(/^one file of transcript at a time: /);
    const lacking = left(await dryRun({ parts: [{ path: avaTurns, wanted: 'faces' }] }));
    expect(lacking.messages).to.deep.equal([`${avaTurns}: the file holds no faces`]);
    const silent = left(await dryRun({ parts: [{ path: avaTurns, wanted: 'transcript' }] }));
    expect(silent.messages).to.deep.equal([`${avaTurns}: the file holds no transcript`]);
  });

  it('leave it to the format whether a transcript was supplied, unless it is declared', async () => {
    const supplied = async (name: string, providerSupplied?: boolean): Promise<unknown> => {
      const { json } = right(await dryRun({ files: [sample(name)], providerSupplied }));
      return 'provider_supplied' in json ? json.provider_supplied : undefined;
    };
    expect(await supplied('speakers.srt')).to.equal(true);
    expect(await supplied('speakers.srt', false)).to.equal(false);
    expect(await supplied('deepgram.json')).to.equal(false);
    expect(await supplied('deepgram.json', true)).to.equal(true);
  });

  it('give each word to the speaker of its label, where both files use the same', async () => {
    const joined = right(
      joinSpeech(await speechOf(await textOf('pyannote-turns.json')), await speechOf(await textOf('whisperx.json'))),
    );
    expect(joined.speakers.map(({ label }) => label)).to.deep.equal(['SPEAKER_00', 'SPEAKER_01']);
    expect(joined.transcript?.utterances.map(({ speaker_id }) => speaker_id)).to.deep.equal([0, 1, 0, 1, 0]);
    expect(joined.summary.notes).to.deep.equal([]);
  });

  it('give each word to the speaker whose turn it is, where their labels differ', async () => {
    const turns = await speechOf(rttm([0, 3, 'x'], [3, 1.5, 'y'], [4.5, 5, 'z']));
    const joined = right(joinSpeech(turns, await speechOf(await textOf('deepgram.json'))));
    expect(joined.segments).to.deep.equal(turns.segments);
    expect(joined.transcript?.utterances.map(({ speaker_id, text }) => `${speaker_id} ${text}`)).to.deep.equal([
      '0 Good morning, I am Ada Quill.',
      '1 Morning Ada, Ben',
      '2 Ortega speaking. Shall we begin with the budget? Yes, page 12 please.',
      '2 It grew by a tenth.',
    ]);
    expect(joined.summary.notes.map(({ what }) => what)).to.deep.equal([
      'piece of speech outside all turns: given to the nearest',
      'transcript whose speakers are told by the time of the turns, not by their labels',
    ]);
  });

  it('tell how they were joined, beside what each file says', async () => {
    const parts = [
      { path: avaTurns, wanted: 'diarisation' },
      { path: sample('deepgram.json'), wanted: 'transcript' },
    ] as const;
    const { json, text } = right(await dryRun({ parts }));
    const joined = text.slice(text.findIndex((line) => line.startsWith('joined: ')));
    expect(joined).to.deep.equal([
      `joined: the turns of ${avaTurns} with the transcript of ${sample('deepgram.json')}`,
      '  3 speakers, 56 turns, 54.6 s of speech, 26 words in 2 utterances',
      '  noted: 26 × piece of speech outside all turns: given to the nearest',
      '  noted: 1 × transcript whose speakers are told by the time of the turns, not by their labels',
      'transcript: our own analysis',
      'nothing sent: dry run',
    ]);
    expect(json).to.have.nested.property('joined.turns', avaTurns);
    expect(json).to.have.nested.property('joined.transcript', sample('deepgram.json'));
    expect(json).to.have.nested.property('joined.notes[0].count', 26);
    expect(right(await dryRun({ files: [avaTurns] })).json).to.have.property('joined', null);
  });
});
