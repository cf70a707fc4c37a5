import type * as t from 'io-ts';

const tagOf = (type: unknown): unknown =>
  typeof type === 'object' && type !== null && '_tag' in type ? type._tag : null;

/**
 * Where a decoder found something wrong, as in `mappings[0].face_id`; empty for the value itself. Members of
 * intersections and unions put their index among the keys of the context: those are no part of the path.
 */
export const fieldPath = (context: t.Context): string =>
  context
    .filter((_, index) => {
      const parent = tagOf(context[index - 1]?.type);
      return index > 0 && parent !== 'IntersectionType' && parent !== 'UnionType';
    })
    .reduce((path, { key }) => {
      if (/^\d+$/.test(key)) return `${path}[${key}]`;
      return path === '' ? key : `${path}.${key}`;
    }, '');
