import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { type KeyRights, newKey, type HttpClient, bodyOf, httpClient } from '../support/http-client.js';
import { shortLivedNodeOptions, freePort } from '../support/processes.js';
import { removeData } from '../support/engine.js';
import type { Callers } from '../support/e2e/test-api.js';
import { runCommand } from '../support/e2e/command.js';
import { type Media, expectOk } from '../support/e2e/media.js';
import { foundIn } from '../support/erasure/bytes.js';
import {
  foundByClients,
  foundInAnswers,
  foundInExplanations,
  foundInHeaps,
  foundInMarts,
  foundInWrites,
  readablePaths,
  showsHeaps,
} from '../support/erasure/search.js';
import { keyedWrites, createMediaWithWords, wordsOf } from '../support/erasure/media-with-words.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../support/service-process.js';

const named = wordsOf('Holunder');
const words: ReadonlyArray<string> = Object.values(named);
/** Parts that occur in every searched word, so that fragments of texts are found too. */
const marks = ['Holunder', 'holunder'];
/** In the title of a video that is not erased. */
const kept = 'Sauerampfer';
const isEmbedded = process.env['TEST_EVENT_STORE'] === undefined;
const Runs = t.type({ match_runs: t.array(t.type({ run_id: t.string })) });

describe('the content of erased media', function () {
  this.timeout(600_000);
  let folder: string;
  let service: ServiceProcess;
  let callers: Callers;
  let media: Media;
  let paths: ReadonlyArray<string>;
  let port: number;

  const clientOf = async (account_id: string, rights: KeyRights = {}): Promise<HttpClient> =>
    httpClient(service.url, await newKey(httpClient(service.url, adminKey), account_id, rights));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-search-'));
    const { node, env } = showsHeaps(folder);
    port = await freePort();
    const offered = isEmbedded ? { EVENTSTORE_PORT: String(port), EVENTSTORE_INSECURE: 'true' } : {};
    service = await startServiceProcess(folder, {
      node: [...shortLivedNodeOptions, ...node],
      env: { ...env, ...offered, MATCH_WORKER: 'embedded' },
    });
    callers = {
      admin: httpClient(service.url, adminKey),
      anonymous: httpClient(service.url, null),
      owner: await clientOf('owner'),
      stranger: await clientOf('stranger'),
      worker: await clientOf('worker', { permissions: ['WORKER'] }),
      mediaWriter: await clientOf('media-writer', { permissions: ['MEDIA_WRITE'] }),
    };
    media = await createMediaWithWords(callers, named);
    const { match_runs } = bodyOf(Runs, await callers.owner.get(media.runs));
    paths = readablePaths(media, { run_id: match_runs[0]?.run_id ?? '' });
  });
  after(async () => {
    await service.kill();
    await removeData(folder);
  });

  /** In answers that were stored for repetitions of requests. */
  const foundInRepetitions = async (): Promise<ReadonlyArray<string>> => {
    const found: string[] = [];
    for (const [name, write] of Object.entries(keyedWrites(callers, media, named))) {
      const { text } = await write();
      if (marks.some((mark) => text.includes(mark))) found.push(name);
    }
    return found;
  };
  /** By the command line and by clients of EventStoreDB, of each of these kinds; none on another engine. */
  const foundOutside = async (of: Media, ids?: ReadonlyArray<string>) =>
    isEmbedded
      ? {
          marts: await foundInMarts(folder, marks),
          explanations: await foundInExplanations(folder, of, marks, ids),
          clients: await foundByClients(port, marks),
        }
      : {};

  it('is found before the erasure, in files and answers', async () => {
    const answers = await foundInAnswers(callers, paths, words);
    for (const word of Object.values(named))
      expect(
        answers.some((found) => found.endsWith(word)),
        word,
      ).to.equal(true);
    expect(await foundIn(folder, marks)).not.to.deep.equal([]);
    expect(await foundInRepetitions()).to.include.members(['title', 'videoTitle', 'inference']);
    for (const [kind, words] of Object.entries(await foundOutside(media, ['1'])))
      expect(words, kind).not.to.deep.equal([]);
  });

  /** A call whose analysis, inference and grounding are too long for the main thread. */
  const createLongCall = async (): Promise<string> => {
    const call = '/v2/audios/long-call';
    const filler = 'and then we talked about the weather, the garden and the price of bread. ';
    const transcript = Array.from({ length: 1_000 }, (_, index) => ({
      speaker_id: 1 + (index % 2),
      start: index,
      end: index + 1,
      text: index % 100 === 0 ? `Hello, my name is ${named.inferred} and I call. ` : filler.repeat(4),
    }));
    const speakers = [{ speaker_id: 1, name: named.speaker }, { speaker_id: 2 }];
    await expectOk(callers.owner.post('/v2/audios', { audio_id: 'long-call', title: named.title }));
    await expectOk(callers.worker.put(`${call}/analysis`, { status: 'completed', speakers, segments: [], transcript }));
    const inference = `${call}/speaker-name-inference/suggestions`;
    const { text } = await expectOk(callers.owner.post(inference, { target_speaker_ids: [1, 2] }));
    expect(text).to.include(named.inferred);
    return call;
  };

  it('is not found afterwards: no name, word, quote or title in any file, answer or heap', async () => {
    const call = await createLongCall();
    await expectOk(callers.owner.delete(media.audio));
    await expectOk(callers.owner.delete(media.video));
    await expectOk(callers.owner.delete(call));
    await expectOk(callers.owner.post('/v2/videos', { video_id: 'kept', title: kept }));
    await setTimeout(3_000);
    const { threads, found } = await foundInHeaps(service, folder, [...marks, kept]);
    // The main thread at least: those that read bodies, inferred names and grounded them have ended.
    expect(threads).to.be.greaterThan(0);
    expect(found.filter((place) => !place.endsWith(kept))).to.deep.equal([]);
    // Content that is not erased is found; otherwise the search would prove nothing.
    expect(found).to.include(`main.heapsnapshot: ${kept}`);
    expect(await foundIn(folder, marks)).to.deep.equal([]);
    expect(await foundInAnswers(callers, paths, marks)).to.deep.equal([]);
    expect(await foundInWrites(callers, media, marks)).to.deep.equal([]);
  });

  it('is not found in marts, explanations, stored answers, reads of EventStoreDB clients, and the command line', async () => {
    for (const [kind, words] of Object.entries(await foundOutside(media))) expect(words, kind).to.deep.equal([]);
    expect(await foundInRepetitions()).to.deep.equal([]);
    for (const args of isEmbedded ? [['log', '--json'], ['show', `video-${media.videoId}`], ['replay']] : []) {
      const { code, out, err } = await runCommand(['audit', ...args], { DATA_DIR: folder });
      expect(code, `${args.join(' ')}: ${out}${err}`).to.equal(0);
      expect(
        marks.filter((word) => `${out}${err}`.includes(word)),
        args.join(' '),
      ).to.deep.equal([]);
    }
    expect(await foundIn(folder, marks)).to.deep.equal([]);
  });
});
