import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import * as t from 'io-ts';
import { useMarts } from '../support/e2e/marts.js';
import { type Media, expectOk } from '../support/e2e/media.js';
import { commitPath, suggestPath, transcriptOf, useNamingApi } from '../support/e2e/naming.js';
import { early, late, other, renumbering, sight, speech } from '../support/e2e/renumbering.js';
import { bodyOf } from '../support/http-client.js';
import { type Behaviour, findsIntroductions } from '../support/name-model/behaviours.js';

const Page = t.type({
  questions: t.readonlyArray(t.type({ speaker_id: t.number, names: t.readonlyArray(t.type({ name: t.string })) })),
});

describe('inferred names and a newer analysis that numbers differently', function () {
  this.timeout(60_000);
  const naming = useNamingApi({ name_model_timeout_seconds: 30 });
  const api = () => naming().api;
  const { analyseAudio, twoOfEach, name, swapSpeakers, speakersOf } = renumbering(api);
  const marts = useMarts(api);
  const targets = { target_speaker_ids: [0, 1] };
  const introduced = () =>
    twoOfEach({ transcript: transcriptOf([0, 'Hello, my name is Ada.'], [1, 'Hi Ada, I am Grace.']) });
  const askedOf = async ({ videoId }: Media) =>
    bodyOf(Page, await expectOk(api().owner.get(`/v2/review?video_id=${videoId}&kind=name`))).questions.map(
      ({ speaker_id, names }) => [speaker_id, names[0]?.name],
    );
  /** Lets `meanwhile` happen while the model is thinking. */
  const inferDuring = async (path: string, meanwhile: () => Promise<unknown>) => {
    const gate = new EventEmitter();
    const waits: Behaviour = (request, response) => {
      gate.once('answer', () => findsIntroductions(request, response));
      gate.emit('asked');
    };
    naming().model.play(waits, findsIntroductions);
    const reached = once(gate, 'asked');
    const answer = api().owner.post(path, targets);
    await reached;
    await meanwhile();
    gate.emit('answer');
    return expectOk(answer);
  };

  it('takes questions about names to the voices, and closes those about voices that are gone', async () => {
    const media = await introduced();
    await expectOk(api().owner.post(suggestPath(media), targets));
    await swapSpeakers(media);
    expect(await askedOf(media)).to.have.deep.members([
      [0, 'Grace'],
      [1, 'Ada'],
    ]);
    await analyseAudio(media, speech({ 0: early, 1: other }));
    expect(await askedOf(media)).to.deep.equal([[0, 'Ada']]);
    await name(media, 0, 'Ada');
    expect(await askedOf(media)).to.deep.equal([]);
  });

  it('commits to the voices of now, and to nobody whose voice is gone', async () => {
    const media = await introduced();
    await inferDuring(commitPath(media), () => swapSpeakers(media));
    expect(await speakersOf(media)).to.deep.equal([
      [0, 'Grace'],
      [1, 'Ada'],
    ]);
    const changed = await introduced();
    await inferDuring(commitPath(changed), () => analyseAudio(changed, speech({ 0: other, 1: early })));
    expect(await speakersOf(changed)).to.deep.equal([
      [0, null],
      [1, 'Ada'],
    ]);
  });

  it('is the cause of the names in the marts, with the number of before', async () => {
    const media = await introduced();
    await name(media, 0, 'Anna');
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 0, speaker_id: 0 }] }));
    await expectOk(api().worker.put(`${media.video}/analysis`, sight({ 0: late, 1: early })));
    await swapSpeakers(media);
    await marts.exportNow();
    const causes = await marts.query(
      `SELECT subject_id, name_after, cause FROM 'marts/names.parquet' WHERE medium_id = '${media.audioId}'
       AND event_type LIKE 'AudioAnalysisRecorded%' AND name_before IS DISTINCT FROM name_after AND name_after IS NOT NULL`,
    );
    expect(causes).to.deep.equal([
      {
        subject_id: '1',
        name_after: 'Anna',
        cause: 'an analysis was written back: speaker 1 is speaker 0 of the analysis before (38 s in common)',
      },
    ]);
    const matches = await marts.query(
      `SELECT face_id, speaker_id_after, cause FROM 'marts/matches.parquet' WHERE video_id = '${media.videoId}'
       AND event_type LIKE 'SpeakersRenumbered%'`,
    );
    expect(matches).to.deep.equal([
      {
        face_id: '1',
        speaker_id_after: '1',
        cause:
          'a newer analysis of the audio numbers the speakers differently: ' +
          'speaker 1 is speaker 0 of the analysis before (38 s in common)',
      },
    ]);
  });
});
