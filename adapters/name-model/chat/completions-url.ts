const path = '/chat/completions';

/**
 * Where chat completions are asked for. Both a base address (`https://models.example/v1`) and the full one
 * (`https://models.example/v1/chat/completions`) will do; a query stays. Throws, without repeating the address, when
 * it is none: it may hold a secret.
 */
export const completionsUrl = (address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new Error("the name model's URL is not an http(s) address");
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = base.endsWith(path) ? base : `${base}${path}`;
  return url;
};
