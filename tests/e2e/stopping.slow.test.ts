import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as t from 'io-ts';
import { spawnCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { createCall } from '../support/e2e/naming.js';
import { useFolder } from '../support/event-store/stores.js';
import { httpClient } from '../support/http-client.js';
import { proposes, slow } from '../support/name-model/behaviours.js';
import { startScriptedModel } from '../support/name-model/scripted-model.js';

const Package = t.type({ scripts: t.type({ start: t.string }), engines: t.type({ node: t.string }) });
const root = new URL('../../../', import.meta.url);
const bin = fileURLToPath(new URL('../../adapters/bin.js', import.meta.url));

const ownPackage = async (): Promise<t.TypeOf<typeof Package>> => {
  const text: unknown = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  if (!Package.is(text)) throw new Error('package.json has no start script');
  return text;
};

const answers = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );

describe('stopping the service', function () {
  this.timeout(60_000);
  const folder = useFolder(beforeEach, afterEach);

  it('exits with 0 in less than 10 s, whatever is in progress', async () => {
    const model = await startScriptedModel();
    model.play(slow(60_000, proposes([])));
    const env = { DATA_DIR: join(folder(), 'data'), PORT: '0', ADMIN_API_KEY: 'chosen', NAME_MODEL_URL: model.url };
    const service = spawnCommand(['serve'], env, 30_000);
    const url = (await service.prints(/Serving on http:\/\/\S+/)).slice('Serving on '.length);
    const admin = httpClient(url, 'chosen');
    await expectOk(admin.post('/v1/accounts/admin/credits', { amount: 100, reason: 'for a test' }));
    await createCall(admin, 'call', [1, 'Hello, my name is Ada Lovelace.']);
    const outcome = admin
      .post('/v2/audios/call/speaker-name-inference', { target_speaker_ids: [1] })
      .then(() => 'answered')
      .catch(() => 'cut off');
    const { hostname, port } = new URL(url);
    const begun = [
      'GET /healthz HTTP/1.1\r\nHos',
      'POST /v2/videos HTTP/1.1\r\nHost: x\r\nX-API-Key: chosen\r\nContent-Length: 20\r\n\r\n{',
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 20\r\n\r\n{',
      'GET /v2/realtime/results HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ].map((text) =>
      connect(Number(port), hostname, function (this: { write: (text: string) => void }) {
        this.write(text);
      }).on('error', () => undefined),
    );
    while (model.requests.length === 0) await setTimeout(5);
    const start = performance.now();
    service.signal('SIGTERM');
    const { code } = await service.ended;
    expect(code).to.equal(0);
    expect(performance.now() - start).to.be.below(10_000);
    expect(await outcome).to.equal('cut off');
    begun.forEach((socket) => socket.destroy());
    await model.close();
  });

  /** Runs the start script of the package through npm, and npm's command through a shell. */
  const npmStart = async (shell: string) => {
    const { scripts } = await ownPackage();
    const start = scripts.start.replace('adapters/cli/set-up.mjs', bin);
    expect(start).to.equal(`exec node ${bin} serve`);
    await writeFile(join(folder(), 'package.json'), JSON.stringify({ name: 'started', scripts: { start } }));
    await writeFile(join(folder(), 'shell'), shell);
    await chmod(join(folder(), 'shell'), 0o755);
    const env = {
      PATH: process.env['PATH'],
      HOME: folder(),
      DATA_DIR: join(folder(), 'data'),
      PORT: '0',
      npm_config_script_shell: join(folder(), 'shell'),
    };
    const npm = spawn('npm', ['start'], { cwd: folder(), env, stdio: ['ignore', 'pipe', 'ignore'] });
    let out = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    while (!/Serving on (http:\S+)\n/.test(out)) {
      if (npm.exitCode !== null) throw new Error(`npm ended: ${out}`);
      await setTimeout(10);
    }
    return { npm, url: /Serving on (http:\S+)\n/.exec(out)?.[1] ?? '' };
  };

  it('works under npm start, and npm exits with 0, whatever shell runs the script', async () => {
    for (const shell of ['#!/bin/sh\nexec /bin/sh "$@"\n', '#!/bin/sh\nshift\neval "$1"\nexit $?\n']) {
      const { npm, url } = await npmStart(shell);
      npm.kill('SIGTERM');
      const ended: unknown[] = await once(npm, 'exit');
      expect(ended, shell).to.deep.equal([0, null]);
      expect(await answers(url)).to.equal(false);
    }
  });

  it('works under npm start with a shell that passes no signals on, once that shell has ended', async () => {
    const { npm, url } = await npmStart('#!/bin/sh\n/bin/sh "$@"\nexit $?\n');
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    const start = performance.now();
    while (await answers(url)) {
      expect(performance.now() - start).to.be.below(15_000);
      await setTimeout(50);
    }
  });
});

describe('an outdated Node.js', () => {
  it('is refused at once with a message, by the command line and by the set-up script', async () => {
    const { engines } = await ownPackage();
    expect(engines.node).to.equal('>=20');
    const old =
      "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})";
    const setUp = fileURLToPath(new URL('adapters/cli/set-up.mjs', root));
    for (const args of [[bin, 'serve'], [bin, '--help'], [setUp], [setUp, 'demo']]) {
      const child = spawn(process.execPath, ['--import', old, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      await once(child, 'close');
      expect(child.exitCode).to.equal(1);
      expect(said).to.equal(`error: media-analysis needs Node.js 20 or later; this is 18.20.8, ${process.execPath}\n`);
    }
  });
});
