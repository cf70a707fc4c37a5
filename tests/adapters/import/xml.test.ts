import { expect } from 'chai';
import { parseXml, textIn } from '../../../adapters/import/xml.js';
import { faultOf } from './providers.js';

describe('XML documents', () => {
  it('keep the order of text and elements, without prefixes, with character references', () => {
    const root = parseXml(
      '<?xml version="1.0"?><a:b xmlns:a="x" a:c="1 &amp; 2">One<d/>&#228;&lt;<![CDATA[<e>]]></a:b>',
    );
    expect(root.name).to.equal('b');
    expect(root.attributes['c']).to.equal('1 & 2');
    expect(root.children.map((child) => (typeof child === 'string' ? child : child.name))).to.deep.equal([
      'One',
      'd',
      'ä<',
      '<e>',
    ]);
    expect(textIn(root)).to.equal('Oneä<<e>');
  });

  it('are refused with the line of an error, if they are truncated, and if they are of no supported format', async () => {
    expect(await faultOf('<?xml version="1.0"?>\n<a>\n<b></a>')).to.match(/^3: not valid XML: /);
    expect(await faultOf('<?xml version="1.0"?>\n<a>\n<b>')).to.match(/truncated$/);
    expect(await faultOf('<html><p>Hello</p></html>')).to.match(/^the format is not recognised/);
    expect(await faultOf(`<a>${'<b>'.repeat(5_000)}${'</b>'.repeat(5_000)}</a>`)).to.match(/^not valid XML: /);
  });
});
