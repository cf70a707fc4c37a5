import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type XmlElement, refuse } from './format.js';

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  htmlEntities: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
});

const attributesKey = ':@';
const textKey = '#text';

const attributesOf = (node: object): Readonly<Record<string, string>> => {
  const given: unknown = Reflect.get(node, attributesKey);
  const entries = typeof given === 'object' && given !== null ? Object.entries(given) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
};

/** What the parser gives for an element: `{name: [children], ":@": {attributes}}`, and `{"#text": text}` for a text. */
const childOf = (node: unknown): ReadonlyArray<XmlElement | string> => {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, inner]: [string, unknown]): ReadonlyArray<XmlElement | string> => {
    if (name === attributesKey) return [];
    if (name === textKey) return [String(inner)];
    return [{ name, attributes: attributesOf(node), children: Array.isArray(inner) ? inner.flatMap(childOf) : [] }];
  });
};

/** Parses an XML document; its root. Errors have their line. */
export const parseXml = (text: string): XmlElement => {
  const valid = XMLValidator.validate(text);
  if (valid !== true)
    return valid.err.code === 'InvalidXml'
      ? refuse(null, 'the XML is incomplete; the file seems to be truncated')
      : refuse(valid.err.line, `not valid XML: ${valid.err.msg}`);
  try {
    const parsed: unknown = parser.parse(text);
    const roots = (Array.isArray(parsed) ? parsed : []).flatMap(childOf).filter((one) => typeof one !== 'string');
    return roots[0] ?? refuse(null, 'the XML has no element');
  } catch (error) {
    if (error instanceof Error && !('reason' in error)) return refuse(null, `not valid XML: ${error.message}`);
    throw error;
  }
};

/** The elements with this name in an element, at any depth, in the order of the document. */
export const elementsIn = (element: XmlElement, name: string): ReadonlyArray<XmlElement> =>
  element.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return [...(child.name === name ? [child] : []), ...elementsIn(child, name)];
  });

/** The text in an element, at any depth. */
export const textIn = (element: XmlElement): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textIn(child))).join('');
