import type { XmlElement, XmlFormat } from '../format.js';
import { elementsIn, textIn } from '../xml.js';
import { holdsTranscript, readTranscript } from './text-transcript.js';

const breaks: Readonly<Record<string, string>> = { br: '\n', cr: '\n', tab: '\t' };

/** The text of the runs in a paragraph. */
const textOf = ({ name, children }: XmlElement): string =>
  children
    .map((child) => {
      if (typeof child === 'string' || child.name === 'p') return '';
      if (name !== 'r') return textOf(child);
      return child.name === 't' ? textIn(child) : (breaks[child.name] ?? '');
    })
    .join('');

/** Earlier transcripts have the times first: `0:0:1.0 --> 0:0:2.4`, then the name, then the text. */
const timesFirst = /^[ \t]*(\d[\d:.,]* *--> *[\d:.,]+)\s*\n\s*(\S.*)$/gm;

const linesOf = (root: XmlElement): ReadonlyArray<string> =>
  elementsIn(root, 'p').map(textOf).join('\n').replaceAll(timesFirst, '$2  $1').split('\n');

/**
 * The transcript of a meeting of Microsoft Teams as a Word document: in each paragraph the name, three spaces and the
 * time, then the text; in earlier ones, two times with an arrow, the name and the text (Unstructured-IO/unstructured#1816).
 */
export const teamsDocx: XmlFormat = {
  name: 'teams_docx',
  reads: 'xml',
  recognises: (root) => root.name === 'document' && holdsTranscript(linesOf(root)),
  read: (root, reading) => readTranscript(linesOf(root), reading),
};
