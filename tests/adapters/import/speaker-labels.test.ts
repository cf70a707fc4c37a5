import { expect } from 'chai';
import { personName } from '../../../adapters/import/speaker-labels.js';

describe('labels of speakers', () => {
  it('that tools generated, in any language, are no names', () => {
    const labels = [
      'Sprecher 1|话者1|話者 2|Locuteur 2|Orador 3|Спикер 1|spk_0|S1|화자 1|Mluvčí 1|المتحدث 1|वक्ता 1|Người nói 1|Ομιλητής 1',
      'Cliente 1|Kunde|客户|客服|主持人|不明|未知|알 수 없음|Voz 1|speaker one|Sprecher*in 1|Хост|Ведущий|司会者|Unbekannt',
    ].flatMap((list) => list.split('|'));
    expect(labels.filter((label) => personName(label) !== null)).to.deep.equal([]);
    const names = ['Clienta Reed', 'Kundera', 'Voz Ramos', 'One Okello', '主持太郎', '未知子'];
    expect(names.filter((name) => personName(name) === null)).to.deep.equal([]);
  });
});
