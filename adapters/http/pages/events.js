// Renders the AsyncAPI document: channels, their messages, what these hold, and a recorded example of each.
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};

const nameIn = (reference) => decodeURIComponent(reference.split('/').at(-1));

const typeOf = (schema) => {
  if (schema.$ref !== undefined) return nameIn(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  return [schema.type ?? 'any value'].flat().join(' or ');
};

/** What stands between backticks is code. */
const withCode = (text) => text.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part));

const fieldsOf = (schema) => {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    make(
      'tr',
      {},
      make('th', { scope: 'row' }, make('code', {}, name)),
      make('td', {}, typeOf(field)),
      make('td', {}, schema.required?.includes(name) ? 'always' : 'sometimes'),
      make('td', {}, field.description ?? ''),
    ),
  );
  const heads = ['Field', 'Type', 'There', 'Meaning'].map((text) => make('th', { scope: 'col' }, text));
  return make(
    'div',
    { className: 'scrolled', tabIndex: 0, role: 'region', ariaLabel: 'Fields' },
    make('table', {}, make('thead', {}, make('tr', {}, ...heads)), make('tbody', {}, ...rows)),
  );
};

const render = ({ info, channels, components }) => {
  const resolved = (schema) => (schema.$ref === undefined ? schema : components.schemas[nameIn(schema.$ref)]);
  const message = ({ name, summary, payload, examples = [] }) =>
    make(
      'details',
      { id: name },
      make('summary', {}, make('code', {}, name), ` ${summary ?? ''}`),
      fieldsOf(resolved(payload)),
      ...examples.map((example) =>
        make('pre', { tabIndex: 0, ariaLabel: `An example of ${name}` }, JSON.stringify(example.payload, null, 2)),
      ),
    );
  const closes = (codes) => [
    make('h3', {}, 'How it closes'),
    make('ul', {}, ...codes.map(({ code, reason }) => make('li', {}, make('code', {}, String(code)), ` ${reason}`))),
  ];
  const channel = ([, { title, address, description, messages, 'x-close-codes': codes = [] }]) =>
    make(
      'section',
      {},
      make('h2', {}, title),
      make('p', {}, make('code', {}, address)),
      make('p', {}, description),
      ...Object.values(messages).map(({ $ref }) => message(components.messages[nameIn($ref)])),
      ...(codes.length === 0 ? [] : closes(codes)),
    );
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    make('details', { id: `schema-${name}` }, make('summary', {}, make('code', {}, name)), fieldsOf(schema)),
  );
  return [
    ...info.description.split('\n\n').map((text) => make('p', {}, ...withCode(text))),
    ...Object.entries(channels).map(channel),
    make('section', {}, make('h2', {}, 'Shapes that messages are made of'), ...schemas),
  ];
};

const main = document.querySelector('#document');
const state = document.querySelector('#state');

const show = async () => {
  const response = await fetch('/asyncapi.json');
  if (!response.ok) throw new Error(`the service answered ${response.status}`);
  main.append(...render(await response.json()));
  state.remove();
};

show()
  .catch((error) => {
    state.textContent = `The document could not be loaded: ${error.message}. Reload the page to try again.`;
  })
  .finally(() => main.removeAttribute('aria-busy'));
