import { readdir, readFile } from 'node:fs/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { formatNotRecognised } from '../../adapters/import/imported.js';
import { readDocument, type ReadDocument } from '../../adapters/import/read-document.js';
import { isRealName } from '../../domain/kernel/names.js';
import { contentOf, found } from '../adapters/import/content.js';
import { runCommand } from '../support/e2e/command.js';
import { createMedia, expectOk, type Media, mediaPaths } from '../support/e2e/media.js';
import { useTestApi } from '../support/e2e/test-api.js';

const Interval = t.type({ start: t.number, end: t.number });
const Said = t.intersection([Interval, t.type({ speaker_id: t.number, text: t.string })]);
const Speakers = t.type({
  speakers: t.array(t.type({ speaker_id: t.number, name: t.union([t.string, t.null]), synthetic: t.boolean })),
});
const Segments = t.type({ segments: t.array(t.intersection([Interval, t.type({ speaker_id: t.number })])) });
const Transcript = t.type({ transcript: t.array(Said) });
const Names = t.type({ faces: t.array(t.type({ id: t.number, name: t.string })) });
const Tracks = t.type({
  faces: t.array(
    t.type({
      face_id: t.number,
      tracks: t.array(Interval),
      talking: t.array(t.intersection([Interval, t.type({ score: t.number })])),
    }),
  ),
});
const Answer = t.type({ understood: t.UnknownRecord });
const Report = t.type({
  files: t.array(t.intersection([t.type({ file: t.string }), t.UnknownRecord])),
  video: t.union([t.null, t.type({ id: t.string })]),
  audio: t.union([t.null, t.type({ id: t.string })]),
});

const decoded = <Value>(codec: t.Decoder<unknown, Value>, body: unknown): Value => {
  const value = codec.decode(body);
  if (E.isLeft(value)) throw new Error(`not as expected: ${JSON.stringify(body)}`);
  return value.right;
};

/** Documents of no supported format. */
const isUnknown = (name: string): boolean => name.startsWith('23') || name === 'word-letter.docx';

const realName = (name: string | null): string | null => (name !== null && isRealName(name) ? name : null);

describe('documents that tools and providers write', () => {
  const api = useTestApi();

  const audioContent = async ({ audio }: Media): Promise<ReadonlyArray<string>> => {
    const { admin } = api();
    const { speakers } = decoded(Speakers, (await expectOk(admin.get(audio))).body);
    const { segments } = decoded(Segments, (await expectOk(admin.get(`${audio}/segments`))).body);
    const answer = await admin.get(`${audio}/transcript`);
    const utterances = answer.status === 404 ? null : decoded(Transcript, answer.body).transcript;
    const summary = { recording: null, rows: 0, seconds: 0, dropped: [], notes: [] };
    const people = speakers.map((one) => ({ ...one, name: realName(one.name), role: null, label: '' }));
    const transcript = utterances && { utterances, pieces: [], words: 0, grain: 'word' as const };
    return contentOf({ faces: null, speech: { speakers: people, segments, transcript, summary } });
  };

  const videoContent = async ({ video }: Media): Promise<ReadonlyArray<string>> => {
    const { admin } = api();
    const names = decoded(Names, (await expectOk(admin.get(video))).body).faces;
    const { faces } = decoded(Tracks, (await expectOk(admin.get(`${video}/tracks`))).body);
    const summary = { recording: null, rows: 0, seconds: 0, dropped: [], notes: [] };
    const seen = faces.map(({ face_id: id, tracks, talking }) => {
      const name = realName(names.find((face) => face.id === id)?.name ?? null);
      return { id, name, tracks, talking, boxes: [] };
    });
    return contentOf({ faces: { faces: seen, summary }, speech: null });
  };

  /** What the service has after it took a document. */
  const stored = async (media: Media, { imported }: ReadDocument): Promise<ReadonlyArray<string>> => [
    ...(imported.faces === null ? [] : await videoContent(media)),
    ...(imported.speech === null ? [] : await audioContent(media)),
  ];

  const command = (...args: string[]) => {
    const { url, adminKey } = api().world;
    return runCommand(['import', ...args, '--json', '--fps', '25'], {
      MEDIA_ANALYSIS_URL: url(),
      MEDIA_ANALYSIS_API_KEY: adminKey,
    });
  };

  it('come out alike over HTTP, over the command line and in the records, or are refused by both', async () => {
    const names = (await readdir(found('.'))).filter((name) => name !== 'README.md');
    expect(names.length).to.be.greaterThan(80);
    for (const name of names) {
      const bytes = await readFile(found(name));
      const read = readDocument([bytes], { fps: 25 });
      const media = await createMedia(api(), { videoStatus: null, audioStatus: null });
      const sort = E.isRight(read) && read.right.imported.faces !== null ? media.video : media.audio;
      const answer = await api().worker.raw('PUT', `${sort}/analysis?format=auto&fps=25`, bytes);
      const { code, out, err } = await command(found(name));
      if (isUnknown(name) || E.isLeft(read)) {
        expect([isUnknown(name), answer.status, code], name).to.deep.equal([true, 422, 1]);
        expect(answer.text, name).to.include(formatNotRecognised.message);
        expect(err, name).to.include(formatNotRecognised.message);
        continue;
      }
      expect([answer.status, code, err], name).to.deep.equal([200, 0, '']);
      const report = decoded(Report, JSON.parse(out));
      const { understood } = decoded(Answer, answer.body);
      expect(report.files, name).to.deep.equal([{ file: found(name), ...understood }]);
      const content = contentOf(read.right.imported);
      expect(await stored(media, read.right), `${name} over HTTP`).to.deep.equal(content);
      const records = mediaPaths(report.video?.id ?? '', report.audio?.id ?? '');
      expect(await stored(records, read.right), `${name} by the command`).to.deep.equal(content);
    }
  });

  it('are imported but for those of no supported format, which make the exit code 1', async () => {
    const { code, out } = await command(found('21b-eight-columns.rttm'), found('23b-tracks.json'));
    expect(code).to.equal(1);
    expect(JSON.parse(out)).to.have.deep.property('skipped', [found('23b-tracks.json')]);
  });
});
