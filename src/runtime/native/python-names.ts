/**
 * The PyPI project that an import belongs to. An import is not a project's name: `yaml` is PyYAML, and anyone could register a project
 * called `yaml`. So only reviewed names are installed for an import; others must be declared.
 */
const BY_IMPORT: Readonly<Record<string, string>> = {
  aiofiles: 'aiofiles',
  aiohttp: 'aiohttp',
  akshare: 'akshare',
  anthropic: 'anthropic',
  anyio: 'anyio',
  arxiv: 'arxiv',
  attr: 'attrs',
  attrs: 'attrs',
  boto3: 'boto3',
  botocore: 'botocore',
  bs4: 'beautifulsoup4',
  cachetools: 'cachetools',
  ccxt: 'ccxt',
  chardet: 'chardet',
  click: 'click',
  colorama: 'colorama',
  cryptography: 'cryptography',
  cv2: 'opencv-python-headless',
  dateparser: 'dateparser',
  dateutil: 'python-dateutil',
  defusedxml: 'defusedxml',
  diskcache: 'diskcache',
  docx: 'python-docx',
  dotenv: 'python-dotenv',
  duckdb: 'duckdb',
  eth_account: 'eth-account',
  fastapi: 'fastapi',
  feedparser: 'feedparser',
  fitz: 'pymupdf',
  flask: 'flask',
  genai: 'google-genai',
  git: 'gitpython',
  googleapiclient: 'google-api-python-client',
  graphviz: 'graphviz',
  gspread: 'gspread',
  httpx: 'httpx',
  huggingface_hub: 'huggingface-hub',
  imageio: 'imageio',
  jinja2: 'jinja2',
  jsonschema: 'jsonschema',
  jwt: 'pyjwt',
  loguru: 'loguru',
  lightgbm: 'lightgbm',
  lxml: 'lxml',
  markdown: 'markdown',
  markdownify: 'markdownify',
  matplotlib: 'matplotlib',
  mcp: 'mcp',
  mssql_python: 'mssql-python',
  nacl: 'pynacl',
  networkx: 'networkx',
  nltk: 'nltk',
  notion_client: 'notion-client',
  numpy: 'numpy',
  openai: 'openai',
  openpyxl: 'openpyxl',
  orjson: 'orjson',
  packaging: 'packaging',
  pandas: 'pandas',
  paramiko: 'paramiko',
  pdf2image: 'pdf2image',
  pdfplumber: 'pdfplumber',
  PIL: 'pillow',
  playwright: 'playwright',
  plotly: 'plotly',
  polars: 'polars',
  pptx: 'python-pptx',
  psutil: 'psutil',
  psycopg2: 'psycopg2-binary',
  pyarrow: 'pyarrow',
  pydantic: 'pydantic',
  pygments: 'pygments',
  pymongo: 'pymongo',
  pymysql: 'pymysql',
  pypdf: 'pypdf',
  PyPDF2: 'pypdf2',
  pytest: 'pytest',
  pytz: 'pytz',
  qrcode: 'qrcode',
  rapidfuzz: 'rapidfuzz',
  redis: 'redis',
  regex: 'regex',
  reportlab: 'reportlab',
  requests: 'requests',
  rich: 'rich',
  scipy: 'scipy',
  seaborn: 'seaborn',
  selenium: 'selenium',
  serpapi: 'google-search-results',
  simplejson: 'simplejson',
  skimage: 'scikit-image',
  sklearn: 'scikit-learn',
  soundfile: 'soundfile',
  sqlalchemy: 'sqlalchemy',
  starlette: 'starlette',
  statsmodels: 'statsmodels',
  sympy: 'sympy',
  tabulate: 'tabulate',
  tavily: 'tavily-python',
  telegram: 'python-telegram-bot',
  tenacity: 'tenacity',
  tiktoken: 'tiktoken',
  toad: 'toad',
  toml: 'toml',
  tomli: 'tomli',
  tqdm: 'tqdm',
  trafilatura: 'trafilatura',
  tweepy: 'tweepy',
  typer: 'typer',
  typing_extensions: 'typing-extensions',
  unidecode: 'unidecode',
  urllib3: 'urllib3',
  uvicorn: 'uvicorn',
  watchdog: 'watchdog',
  web3: 'web3',
  websocket: 'websocket-client',
  websockets: 'websockets',
  xlrd: 'xlrd',
  xlsxwriter: 'xlsxwriter',
  xmltodict: 'xmltodict',
  yaml: 'pyyaml',
  yfinance: 'yfinance',
  youtube_transcript_api: 'youtube-transcript-api',
  yt_dlp: 'yt-dlp',
  zstandard: 'zstandard',
};

export const projectOfImport = (name: string): string | null =>
  Object.hasOwn(BY_IMPORT, name) ? (BY_IMPORT[name] as string) : null;

/** Modules of CPython 3.11 to 3.14, by the first part of their name. */
const STANDARD = new Set(
  `__future__ __main__ abc aifc annotationlib antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii
  bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression
  concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis
  distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools
  gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib
  inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap
  modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path numbers opcode operator optparse os
  ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd
  py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets
  select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
  sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny
  tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback
  tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg
  winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`.split(/\s+/),
);

export const isStandardModule = (name: string): boolean => STANDARD.has(name);

/** Standard modules that need processes, sockets or native libraries, which WebAssembly does not have. */
const NATIVE = new Set([
  'ctypes',
  'curses',
  'fcntl',
  'multiprocessing',
  'pty',
  'resource',
  'socket',
  'sqlite3',
  'ssl',
  'subprocess',
  'termios',
]);

export const isNativeModule = (name: string): boolean => NATIVE.has(name);
