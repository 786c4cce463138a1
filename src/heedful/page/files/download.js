// Pictures of the page as files.

/** Saves an SVG element, with the looks that the page gives it. */
export function saveSvg(svg, name) {
  save(new Blob([standalone(svg)], { type: "image/svg+xml" }), `${name}.svg`);
}

/** The same as a PNG, twice as large as on the screen. */
export async function savePng(svg, name) {
  const image = new Image();
  const box = svg.viewBox.baseVal;
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * box.width;
  canvas.height = 2 * box.height;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => save(blob, `${name}.png`), "image/png");
}

const KEPT = [
  "fill", "fill-opacity", "stroke", "stroke-opacity", "stroke-width", "font-family", "font-size",
  "font-weight", "image-rendering", "visibility",
];

/** What the style sheet says is written into the elements themselves. */
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const mine = [svg, ...svg.querySelectorAll("*")];
  const theirs = [copy, ...copy.querySelectorAll("*")];
  mine.forEach((node, n) => {
    const looks = getComputedStyle(node);
    for (const name of KEPT) theirs[n].setAttribute(name, looks.getPropertyValue(name));
  });
  const box = svg.viewBox.baseVal;
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width: box.width, height: box.height })) {
    paper.setAttribute(name, value);
  }
  paper.setAttribute("fill", getComputedStyle(svg.closest(".heedful")).backgroundColor);
  copy.prepend(paper);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
