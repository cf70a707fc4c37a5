const patterns = ['self_introduction', 'introduced_by_other', 'addressed_by_other', 'sign_off', 'third_party_mention'];

const text = { type: 'string' };
const name = { name: text, quote: text, pattern: { type: 'string', enum: patterns } };
const role = { role: { type: 'string', enum: ['agent', 'customer'] }, role_quote: text };
const speaker = { speaker_id: { type: 'integer' } };

const object = (properties: object) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/**
 * The shape of the answer, for `response_format`. Strict schemas know no optional fields, so there is one object for
 * each kind of proposal; OpenAI refuses alternatives that begin with the same field, hence the order of the fields.
 */
export const answerFormat = (inferRoles: boolean) => {
  const named = object({ ...name, ...speaker });
  const withRoles = [
    named,
    object({ ...role, ...speaker }),
    object({ quote: name.quote, name: name.name, pattern: name.pattern, ...role, ...speaker }),
  ];
  const proposal = inferRoles ? { anyOf: withRoles } : named;
  const schema = object({ speakers: { type: 'array', items: proposal } });
  return { type: 'json_schema', json_schema: { name: 'speaker_names', strict: true, schema } };
};
