const ways: ReadonlyArray<(code: string) => string> = [
  (code) => `<img src=x onerror=${code}>`,
  (code) => `"><script>${code}</script>`,
  (code) => `</title></textarea></select><svg/onload=${code}>`,
  (code) => `<iframe srcdoc="<script>parent.${code}</script>">`,
  (code) => `<a href="javascript:${code}">here</a>`,
  (code) => `javascript:${code}`,
  (code) => `{{constructor.constructor('${code}')()}}`,
  (code) => `<style>*{display:none}</style>${code}`,
  (code) => `&lt;img src=x onerror=${code}&gt;`,
  (code) => `\${${code}}<base href=//elsewhere.example><meta http-equiv=refresh content=0>`,
];

/** 100 texts that a careless page would interpret as markup or script; a script that runs sets `window.hit`. */
export const markup: ReadonlyArray<string> = Array.from(
  { length: 100 },
  (_, at) => ways[at % ways.length]?.(`window.hit=${at}`) ?? '',
);
