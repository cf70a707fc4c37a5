import { expect } from 'chai';
import type { KeyVault } from '../../../application/ports/key-vault.js';
import { succeeded } from '../event-store/outcomes.js';

/** What every key vault does. */
export const vaultContract = (open: () => KeyVault): void => {
  it('creates a key once, finds it, and has no others', async () => {
    const vault = open();
    const key = await succeeded(vault.make('video-a:1'));
    expect(key).to.have.length(32);
    expect(await succeeded(vault.make('video-a:1'))).to.deep.equal(key);
    expect(await succeeded(vault.find('video-a:1'))).to.deep.equal(key);
    expect(await succeeded(vault.find('video-b:1'))).to.equal(null);
    const [one, other] = await Promise.all([vault.make('video-c:1')(), vault.make('video-c:1')()]);
    expect(one).to.deep.equal(other);
  });

  it('erases a key for good, even one that never existed, any number of times', async () => {
    const vault = open();
    await succeeded(vault.make('audio-a:1'));
    for (const name of ['audio-a:1', 'audio-a:1', 'audio-never:1']) {
      await succeeded(vault.erase(name));
      expect(await succeeded(vault.find(name))).to.equal('erased');
      expect(await succeeded(vault.make(name))).to.equal('erased');
    }
  });
};
