/** One section of a session description (RFC 8866): its m= line and the lines after it. */
export interface MediaSection {
  readonly kind: string;
  readonly port: number;
  readonly protocol: string;
  readonly formats: readonly string[];
  readonly lines: readonly string[];
}

export interface SessionDescription {
  readonly lines: readonly string[];
  readonly sections: readonly MediaSection[];
}

const mediaLine = /^m=([a-z]+) (\d{1,5})(?:\/\d+)? ([A-Z/]+) (\S.*)$/;
const anyLine = /^[a-z]=.*$/;

const sectionOf = (line: string, lines: readonly string[]): MediaSection | string => {
  const [, kind, port, protocol, formats] = mediaLine.exec(line) ?? [];
  if (kind === undefined || protocol === undefined || formats === undefined)
    return `not a valid media line: ${quoted(line)}`;
  return { kind, port: Number(port), protocol, formats: formats.trim().split(/ +/), lines };
};

/** A line as an error message quotes it. */
export const quoted = (line: string): string => JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line);

/** Parses a session description; returns a text that says why if it is not one. */
export const parseDescription = (sdp: string): SessionDescription | string => {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '');
  if (lines[0] !== 'v=0') return 'it does not begin with v=0';
  const invalid = lines.find((line) => !anyLine.test(line));
  if (invalid !== undefined) return `not a line of a session description: ${quoted(invalid)}`;
  const starts = lines.flatMap((line, at) => (line.startsWith('m=') ? [at] : []));
  const sections: MediaSection[] = [];
  for (const [at, start] of starts.entries()) {
    const section = sectionOf(lines[start] ?? '', lines.slice(start + 1, starts[at + 1]));
    if (typeof section === 'string') return section;
    sections.push(section);
  }
  return { lines: lines.slice(0, starts[0]), sections };
};

/** The values of an attribute among the lines of a section or of the whole description. */
export const attributes = (lines: readonly string[], name: string): readonly string[] =>
  lines.flatMap((line) => (line.startsWith(`a=${name}:`) ? [line.slice(name.length + 3)] : []));
