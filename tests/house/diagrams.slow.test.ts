import { expect } from 'chai';
import { drawn, standing } from '../support/house/diagrams.js';

describe('the diagrams of the architecture', function () {
  this.timeout(180_000);

  it('are those of the code: node dist/tests/draw-diagrams.js draws them again', () => {
    const { folders, request } = drawn();
    expect(folders).to.include('http --> application');
    expect(request).to.include('domain/video');
    expect(standing('folders')).to.equal(folders);
    expect(standing('request')).to.equal(request);
  });
});
