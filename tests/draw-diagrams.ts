import { redraw } from './support/house/diagrams.js';

/* Draws the diagrams of docs/architecture.md again. */
redraw();
