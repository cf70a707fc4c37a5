// Renders the OpenAPI document. Nothing is asked of another origin, and a key is forgotten with the page.
window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  displayOperationId: true,
  docExpansion: 'list',
  filter: true,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
  onComplete: () => document.querySelector('#servers')?.setAttribute('aria-label', 'Server'),
});
