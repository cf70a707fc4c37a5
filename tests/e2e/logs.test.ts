import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { spawnCommand } from '../support/e2e/command.js';
import { bodyOf, httpClient } from '../support/http-client.js';

const secrets = ['Katherine Johnson', 'Words of a transcript', 'Title of a talk', 'Label of a key', 'chosen-admin-key'];

describe('the log at its most verbose level', () => {
  it('consists of JSON lines without keys, names, titles and transcripts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-logs-'));
    const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'trace', ADMIN_API_KEY: 'chosen-admin-key' };
    const service = spawnCommand(['serve'], env);
    const url = (await service.prints(/http:\/\/\S+/)).trim();
    const admin = httpClient(url, 'chosen-admin-key');
    const issued = await admin.post('/v1/accounts/admin/keys', { label: 'Label of a key', permissions: ['WORKER'] });
    const { key } = bodyOf(t.type({ key: t.string }), issued);
    const name = 'Katherine Johnson';
    const transcript = [{ speaker_id: 1, start: 0, end: 1, text: 'Words of a transcript' }];
    const answers = [
      await admin.post('/v2/videos', { video_id: 'v', title: 'Title of a talk' }),
      await admin.post('/v2/audios', { audio_id: 'a', video_id: 'v' }),
      await admin.put('/v2/videos/v/analysis', { status: 'completed', faces: [{ id: 1, name, tracks: [] }] }),
      await admin.put('/v2/audios/a/analysis', {
        status: 'completed',
        speakers: [{ speaker_id: 1, name }],
        segments: [],
        transcript,
      }),
      await admin.post('/v2/videos/v/speaker-face-match/suggestions', {}),
      await httpClient(url, key).put('/v2/videos/v/speaker-face-match', { mappings: [{ name }] }),
      await httpClient(url, key).put('/v2/videos/v/speaker-face-match', { mappings: [{ face_id: 9, name }] }),
      await httpClient(url, `${key}x`).get('/v2/videos'),
      await admin.raw('PUT', '/v2/videos/v/speaker-face-match', `{"mappings": "${name}`),
      await admin.get('/v2/videos?cursor=Katherine%20Johnson'),
      await admin.get('/v2/videos/v', { 'X-Min-Position': '9999999999999999' }),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 422, 422, 401, 422, 400, 503]);
    service.signal('SIGTERM');
    const { code, err, out } = await service.ended;
    await rm(folder, { recursive: true, force: true });
    expect(code).to.equal(0);
    const lines = err.trim().split('\n');
    expect(lines.length).to.be.greaterThan(1);
    lines.forEach((line) => expect(() => void JSON.parse(line), line).not.to.throw());
    for (const secret of [...secrets, key]) expect(err + out).not.to.include(secret);
    expect(err).to.include(answers.at(-1)?.headers.get('X-Request-Id'));
  });
});
