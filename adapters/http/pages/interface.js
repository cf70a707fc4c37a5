// Renders the OpenAPI document. Nothing is asked of another origin, and a key is forgotten with the page.
const main = document.querySelector('#interface');

/* What Swagger UI leaves out for people who use a keyboard or a screen reader, by where it is. */
const amendments = {
  '#servers': { 'aria-label': 'Server' },
  '.operation-filter-input': { 'aria-label': 'Filter by tag or path' },
  '.opblock-tag': { 'aria-level': '2' },
  '.opblock-section-header h4, .responses-inner h4, .responses-inner h5': { 'aria-level': '3' },
  '.information-container': { role: 'region', 'aria-label': 'About' },
  '.scheme-container': { role: 'region', 'aria-label': 'Server and key' },
  '.filter-container': { role: 'search' },
  '.body-param__text': { 'aria-label': 'Request body' },
  'section.models > h4': { 'aria-level': '2' },
  '.examples-select-element': { 'aria-label': 'Example' },
  '.dialog-ux h3': { 'aria-level': '2' },
  '.dialog-ux h4': { 'aria-level': '3' },
  '.dialog-ux h6': { 'aria-level': '4' },
  '.dialog-ux .modal-ux': { role: 'dialog', 'aria-modal': 'true', 'aria-label': 'Available authorizations' },
  '.dialog-ux .close-modal': { 'aria-label': 'Close' },
  '.dialog-ux .btn-done': { 'aria-label': 'Close' },
  '.dialog-ux button.authorize[type=submit]': { 'aria-label': 'Authorize: apply credentials' },
  '.dialog-ux button[aria-label="Remove authorization"]': { 'aria-label': 'Logout: remove authorization' },
  '.highlight-code pre, .highlight-code .microlight, .curl-command pre, .example': { tabindex: '0' },
};

const amend = () => {
  for (const [where, attributes] of Object.entries(amendments))
    for (const element of main.querySelectorAll(where))
      for (const [name, value] of Object.entries(attributes))
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};

const dialog = () => main.querySelector('.dialog-ux .modal-ux');

/** The dialog for keys gives the focus back to what opened it. */
let opener = null;
let isOpen = false;
const giveBackFocus = () => {
  const wasOpen = isOpen;
  isOpen = dialog() !== null;
  if (wasOpen && !isOpen) (opener?.isConnected ? opener : main.querySelector('.btn.authorize'))?.focus();
};
main.addEventListener(
  'click',
  ({ target }) => {
    if (dialog() === null) opener = target.closest('button.authorize, button.authorization__btn') ?? opener;
  },
  true,
);

/* Until then it keeps the focus; Escape closes it. */
main.addEventListener('keydown', (event) => {
  const open = dialog();
  if (open === null) return;
  if (event.key === 'Escape') open.querySelector('.close-modal').click();
  if (event.key !== 'Tab') return;
  const stops = [...open.querySelectorAll('button, input, select, a[href]')];
  const [last, next] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
  if (document.activeElement !== last && open.contains(document.activeElement)) return;
  event.preventDefault();
  next.focus();
});

new MutationObserver(() => {
  amend();
  giveBackFocus();
}).observe(main, { childList: true, subtree: true });

/** A path is a text: it stands within the button that opens its operation. */
const pathsAreTexts = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) },
});

window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  displayOperationId: true,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: false,
  plugins: [pathsAreTexts],
  // Its colours are too faint.
  syntaxHighlight: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
