import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readDocument } from '../../../adapters/import/read-document.js';
import { found } from './content.js';
import { left, right } from './support.js';

describe('faces by frames', () => {
  it('count frames only if the frame rate is told', async () => {
    for (const name of ['mot.txt', 'cvat-tracks.xml'])
      expect(left(readDocument([await readFile(found(name))])).message).to.match(/the format counts frames: .*fps/);
  });

  it('CVAT: a box holds until the next one or the end of the task, and is a share of the picture', async () => {
    const size = '<original_size><width>100</width><height>50</height></original_size>';
    const box = (frame: number, outside = 0, left = 10): string =>
      `<box frame="${frame}" outside="${outside}" xtl="${left}" ytl="10" xbr="${left + 20}" ybr="20"/>`;
    const xml = (tracks: string, meta = `<size>40</size>${size}`): string =>
      `<annotations><meta><task>${meta}</task></meta>${tracks}</annotations>`;
    const track = `<track id="3" label="Person face">${box(20, 0, 90)}${box(0)}${box(10, 1)}</track>`;
    const { imported } = right(readDocument([Buffer.from(xml(track))], { fps: 10 }));
    expect(imported.faces?.faces[0]?.boxes).to.deep.equal([
      { at: 0, left: 0.1, top: 0.2, width: 0.2, height: 0.2 },
      { at: 2, left: 0.9, top: 0.2, width: 0.1, height: 0.2 },
    ]);
  });
});
