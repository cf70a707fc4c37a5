import type * as t from 'io-ts';

const tagOf = (type: unknown): unknown =>
  typeof type === 'object' && type !== null && '_tag' in type ? type._tag : null;

/**
 * The path of a decode error, such as `mappings[0].face_id`; empty for the value itself. Indexes that io-ts adds for
 * members of intersections and unions are left out.
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
