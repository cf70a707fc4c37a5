import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { threadedGrounder } from '../../adapters/name-model/grounder.js';
import { packTranscript, unpackTranscript } from '../../adapters/name-model/packed-transcript.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import { type Grounding, ground } from '../../domain/grounding/ground.js';
import { SpeakerId } from '../../domain/kernel/ids.js';
import { speakerId } from '../support/values.js';

const said = (utterances: number): Grounding['transcript'] =>
  Array.from({ length: utterances }, (_, at) => ({
    speaker_id: speakerId(at % 2),
    start: at,
    end: at + 0.5,
    text: at === utterances - 1 ? 'Hello, my name is Ädä Lovelace 👩.' : `This is sentence number ${at}.`,
  }));

const groundingOf = (utterances: number): Grounding => ({
  video_id: null,
  transcript: said(utterances),
  speakers: [0, 1].map((id) => ({ speaker_id: speakerId(id), name: null, role: null, synthetic: false })),
  target_speaker_ids: [speakerId(0), speakerId(1)],
  infer_roles: false,
  proposals: [0, 1].map((id) => ({
    speaker_id: speakerId(id),
    name: 'Ädä Lovelace',
    quote: 'my name is Ädä Lovelace',
    pattern: 'self_introduction',
  })),
});

describe('grounder', () => {
  const threads = startThreads();
  const grounder = threadedGrounder(threads);
  after(threads.close);

  it('gives the same rows for a long transcript (in another thread) as the domain does', async () => {
    for (const utterances of [4, 5_000]) {
      const grounding = groundingOf(utterances);
      const rows = await grounder(grounding)();
      expect(rows).to.deep.equal(E.right(ground(grounding)));
      expect(E.isRight(rows) && rows.right.some(({ name }) => name === 'Ädä Lovelace')).to.equal(true);
    }
  });

  it('fails when its thread ends before the answer was checked', async () => {
    const closing = startThreads();
    const broken = threadedGrounder(closing)(groundingOf(20_000))();
    await closing.close();
    expect(E.isLeft(await broken)).to.equal(true);
  });

  it('packs and unpacks a transcript', () => {
    for (const transcript of [said(3), [], said(1).map((one) => ({ ...one, text: '' }))])
      expect(unpackTranscript(packTranscript(transcript), SpeakerId.is)).to.deep.equal(transcript);
  });
});
