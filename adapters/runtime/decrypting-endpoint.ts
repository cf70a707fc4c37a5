/**
 * A call that the protocol endpoint lists as supported when it decrypts what it sends, in the form of the protocol. The
 * hashes cover what is stored, so such a log can be neither verified nor copied. Other servers do not list it.
 */
export const decryptingEndpoint = { service: 'media_analysis.decrypting_endpoint', method: 'read' };
