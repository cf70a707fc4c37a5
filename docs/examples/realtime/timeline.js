const seconds = 60;
const width = 600;
const height = 96;
const quietest = -60;

/** Converts a level in dBFS to a share of the meter, from 0 to 1. */
export const shareOf = (level) => Math.min(1, Math.max(0, (level - quietest) / -quietest));

/** The last minute as bars: the height shows the level, the colour whether somebody spoke. */
export const timeline = (svg, label) => {
  const bars = [];
  const showShare = () => {
    const spoken = bars.filter((bar) => bar.speaking).reduce((sum, bar) => sum + bar.end - bar.start, 0);
    label.textContent = `${spoken.toFixed(0)} s of speech`;
  };
  const draw = () => {
    const now = performance.now() / 1_000;
    while (bars.length > 0 && bars[0].end < now - seconds) {
      bars.shift().element.remove();
      showShare();
    }
    for (const { element, start } of bars)
      element.setAttribute('x', String(((start - now + seconds) / seconds) * width));
  };
  const animate = () => {
    draw();
    requestAnimationFrame(animate);
  };
  animate();
  return {
    add: ({ start, end, speaking, level_dbfs: level }) => {
      const element = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
      const barHeight = Math.max(2, shareOf(level) * height);
      element.setAttribute('y', String(height - barHeight));
      element.setAttribute('height', String(barHeight));
      element.setAttribute('width', String(((end - start) / seconds) * width * 0.86));
      if (speaking) element.classList.add('speech');
      svg.append(element);
      const now = performance.now() / 1_000;
      bars.push({ element, start: now - (end - start), end: now, speaking });
      showShare();
    },
  };
};

/** Windows with a gap of at most this many seconds belong to one interval. */
const maxGap = 0.05;

/** The intervals in which somebody spoke, as rows of a table, in seconds since the first sound. */
export const intervals = (body) => {
  let last;
  return {
    clear: () => {
      last = undefined;
      body.replaceChildren();
    },
    add: ({ start, end, speaking }) => {
      if (!speaking) return;
      if (last === undefined || start > last.end + maxGap) {
        last = { start, row: body.insertRow(0) };
        for (let cell = 0; cell < 3; cell += 1) last.row.insertCell();
      }
      last.end = end;
      const texts = [last.start, end, end - last.start].map((seconds) => seconds.toFixed(2));
      texts.forEach((text, cell) => (last.row.cells[cell].textContent = text));
    },
  };
};
