import { Command } from 'commander';
import { explainCommand } from './explain.js';
import { logCommand } from './log.js';
import { exportCommand } from './export.js';
import { lateWritesCommand } from './late-writes.js';
import { replayCommand } from './replay.js';
import { statementCommand } from './statement.js';
import { showCommand } from './show.js';
import type { AuditNeeds } from './source.js';
import { sealCommand, verifyCommand } from './verify.js';

/** `media-analysis audit`: lists, explains, verifies and exports the event log. */
export const auditCommand = (needs: AuditNeeds): Command =>
  new Command('audit')
    .description('list, explain, verify and export what happened; reads a live log or a copy')
    .addCommand(logCommand(needs))
    .addCommand(showCommand(needs))
    .addCommand(explainCommand(needs))
    .addCommand(lateWritesCommand(needs))
    .addCommand(statementCommand(needs))
    .addCommand(exportCommand(needs))
    .addCommand(replayCommand(needs))
    .addCommand(verifyCommand(needs))
    .addCommand(sealCommand(needs));
