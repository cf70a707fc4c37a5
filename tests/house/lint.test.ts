import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the code of the house', function () {
  this.timeout(300_000);

  it('has nothing that `npm run lint` finds fault with', () => {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'lint'], { cwd: root, encoding: 'utf8' });
    expect(status, `${stdout}${stderr}`).to.equal(0);
  });
});
