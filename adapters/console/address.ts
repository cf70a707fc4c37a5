import { useEffect, useState } from 'preact/hooks';

const parametersNow = (): URLSearchParams => new URLSearchParams(location.hash.split('?')[1] ?? '');

/** The parameters of the page in the address, so that going back, a reload or a bookmark restores them. */
export const useParameters = (): readonly [URLSearchParams, (changed: Readonly<Record<string, string>>) => void] => {
  const [parameters, setParameters] = useState(parametersNow);
  useEffect(() => {
    const read = (): void => setParameters(parametersNow());
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  /** Changes parameters; those with an empty value are left out. */
  const change = (changed: Readonly<Record<string, string>>): void => {
    const next = parametersNow();
    for (const [name, value] of Object.entries(changed)) {
      if (value === '') next.delete(name);
      else next.set(name, value);
    }
    const [path = ''] = location.hash.split('?');
    history.replaceState(null, '', next.size === 0 ? path || '#/videos' : `${path || '#/videos'}?${next}`);
    setParameters(next);
  };
  return [parameters, change];
};
